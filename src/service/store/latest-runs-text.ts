import type { ListedExport } from './batch-exports.ts'
import type { Store } from './database.ts'
import { latestRuns, type LatestRun } from './runs-list.ts'

/** A run as JSON has about 500 bytes, an export's ten newest 5 kB. */
const keptExports = 5000

/**
 * The newest runs of exports as JSON text. A page of exports has a thousand runs, and to read and write them takes longer than
 * all the rest: the text of an export is kept for as long as PostgreSQL has the same versions of the same rows.
 */
export class LatestRunsText {
  readonly #kept = new Map<string, { version: string; text: string }>()

  /**
   * JSON lists by the export's id, each with its newest ten runs, the newest first.
   * @param show turns a row into the run of the answer; it is the same in every call, since texts are kept.
   */
  async of(
    store: Store,
    exports: readonly ListedExport[],
    show: (run: LatestRun) => object,
  ): Promise<Map<string, string>> {
    const texts = new Map<string, string>()
    for (const { id, runs_version } of exports) {
      const kept = this.#kept.get(id)
      if (kept?.version === runs_version) texts.set(id, kept.text)
    }
    const changed = exports.filter(({ id }) => !texts.has(id))
    if (changed.length === 0) return texts
    const runs = await latestRuns(
      store,
      changed.map(({ id }) => id),
    )
    for (const { id, runs_version } of changed) {
      const text = JSON.stringify((runs.get(id) ?? []).map(show))
      texts.set(id, text)
      this.#keep(id, runs_version, text)
    }
    return texts
  }

  /** What was read after its version may be newer than that: then it is read again, never older. */
  #keep(id: string, version: string, text: string): void {
    this.#kept.delete(id)
    this.#kept.set(id, { version, text })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptExports && oldest !== undefined) this.#kept.delete(oldest)
  }
}
