import { alikeExports, windowsOfExports } from '../exporter/exports-of-person.ts'
import type { Services } from '../services.ts'
import { addErasedWindows } from '../store/privacy/erased-windows.ts'
import type { PersonErasureRow } from '../store/privacy/person-erasures.ts'
import { exportsToCompare, selectionsInLedger, type ComparedExport } from '../store/runs/person-runs.ts'
import { partsOf } from './erase-rows.ts'

/** Nobody waits for the answer, and it must be complete. */
const limits = { seconds: 3600, entriesMax: 10_000_000 }
/** Windows in a statement. */
const windowsAtOnce = 5000

/**
 * Stores the windows of runs that may have exported rows of the person, of deleted exports, too: by the query and the events that
 * each export selects, or selected when a recorded run wrote. Returns the exports whose query fails.
 */
export async function storeExportedWindows(
  { store, warehouse }: Pick<Services, 'store' | 'warehouse'>,
  { id, project_id, distinct_ids }: Pick<PersonErasureRow, 'id' | 'project_id' | 'distinct_ids'>,
): Promise<string[]> {
  const exports = await exportsToCompare(store, project_id, null, 'included')
  const former = await selectionsInLedger(store, project_id)
  const byId = new Map(exports.map((row) => [row.id, row]))
  const earlier = former.flatMap((selection): ComparedExport[] => {
    const row = byId.get(selection.id)
    return row ? [{ ...row, ...selection }] : []
  })
  const unchecked = new Set<string>()
  for (const alike of alikeExports([...exports, ...earlier]))
    for (const ids of partsOf(distinct_ids)) {
      const groups = await windowsOfExports(warehouse, alike, ids, limits)
      if (!groups) for (const row of alike) unchecked.add(row.id)
      for (const { ids: exportIds, windows } of groups ?? [])
        for (let start = 0; start < windows.length; start += windowsAtOnce)
          await addErasedWindows(store, id, exportIds, windows.slice(start, start + windowsAtOnce))
    }
  return [...unchecked]
}
