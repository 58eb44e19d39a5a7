import type { Store } from '../store/database.ts'
import { latestRuns, latestRunVersions } from '../store/runs-list.ts'
import { showRun } from './show-run.ts'

/** A run as JSON has about 500 bytes, an export's ten newest 5 kB. */
const keptExports = 5000

/**
 * The newest runs of exports as JSON text. A page of exports has a thousand runs, and to read and write them takes longer than
 * all the rest: the text of an export is kept for as long as PostgreSQL has the same versions of the same rows.
 */
export class LatestRunsText {
  readonly #kept = new Map<string, { version: string; text: string }>()

  /** JSON lists by the export's id, each with its newest ten runs, the newest first. */
  async of(store: Store, batchExportIds: readonly string[]): Promise<Map<string, string>> {
    const versions = await latestRunVersions(store, batchExportIds)
    const texts = new Map<string, string>()
    for (const [id, version] of versions) {
      const kept = this.#kept.get(id)
      if (kept?.version === version) texts.set(id, kept.text)
    }
    const missing = batchExportIds.filter((id) => !texts.has(id))
    const runs = missing.length > 0 ? await latestRuns(store, missing) : new Map()
    for (const id of missing) {
      const text = JSON.stringify((runs.get(id) ?? []).map(showRun))
      texts.set(id, text)
      this.#keep(id, versions.get(id) ?? '', text)
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
