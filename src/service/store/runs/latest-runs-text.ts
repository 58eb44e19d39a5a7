import type { ListedExport } from './batch-exports.ts'
import type { Store } from '../schema/database.ts'
import { latestRuns, type LatestRun } from './runs-list.ts'
import { VersionedTexts } from './versioned-texts.ts'

/**
 * Cache of the newest runs of exports as JSON. A page of exports has a thousand runs; reading and serialising them takes
 * longer than the rest of the request. A text is valid while PostgreSQL has the same versions of the same rows.
 */
export class LatestRunsText {
  readonly #texts = new VersionedTexts()

  /**
   * Returns, by the export's id, the JSON list of its ten newest runs, newest first.
   * @param show converts a row to the run of the response; must be the same in every call, because its result is cached
   */
  async of(
    store: Store,
    exports: readonly ListedExport[],
    show: (run: LatestRun) => object,
  ): Promise<Map<string, Buffer>> {
    const texts = new Map<string, Buffer>()
    for (const { id, runs_version } of exports) {
      const text = this.#texts.find(id, runs_version)
      if (text) texts.set(id, text)
    }
    const changed = exports.filter(({ id }) => !texts.has(id))
    if (changed.length === 0) return texts
    const runs = await latestRuns(
      store,
      changed.map(({ id }) => id),
    )
    for (const { id, runs_version } of changed) {
      const text = Buffer.from(JSON.stringify((runs.get(id) ?? []).map(show)))
      texts.set(id, text)
      this.#texts.add(id, runs_version, text)
    }
    return texts
  }
}
