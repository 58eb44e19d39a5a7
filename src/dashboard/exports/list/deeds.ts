import { writeReason, type Reason } from '../../../contract/batch-export-run.ts'
import { exportCan } from '../../../contract/batch-export.ts'
import type { ExportOverview } from '../../../contract/overview.ts'
import { counted } from '../../words/amount.ts'

/** What can be done with one export or with many at once. */
export type Deed = 'pause' | 'unpause' | 'backfill' | 'retry' | 'delete'

/** How a deed is spoken of: `Pausing 3 exports`, `Paused 3 exports.`, `3 exports could not be paused.` */
export const deedWords: Record<Deed, { doing: string; done: string; undone: string }> = {
  pause: { doing: 'Pausing', done: 'Paused', undone: 'paused' },
  unpause: { doing: 'Unpausing', done: 'Unpaused', undone: 'unpaused' },
  backfill: { doing: 'Backfilling', done: 'Backfilling', undone: 'backfilled' },
  retry: { doing: 'Retrying the failed runs of', done: 'Retrying the failed runs of', undone: 'retried' },
  delete: { doing: 'Deleting', done: 'Deleted', undone: 'deleted' },
}

const reasonOf: Record<Deed, (row: ExportOverview, scopes: readonly string[]) => Reason> = {
  pause: exportCan.pause,
  unpause: exportCan.unpause,
  backfill: exportCan.backfill,
  retry: (_, scopes) => writeReason(scopes),
  delete: exportCan.delete,
}

/** Those of the rows that a deed is possible for, and the reason when it is possible for none. */
export function possibleFor(
  deed: Deed,
  rows: readonly ExportOverview[],
  scopes: readonly string[],
): { rows: ExportOverview[]; reason: Reason } {
  const possible = rows.filter((row) => reasonOf[deed](row, scopes) === null)
  const [first] = rows
  if (possible.length > 0 || !first) return { rows: possible, reason: null }
  const forMany = deed === 'pause' ? 'All of these are paused already.' : 'None of these is paused.'
  return {
    rows: [],
    reason: rows.length > 1 ? (writeReason(scopes) ?? forMany) : reasonOf[deed](first, scopes),
  }
}

/** One export by its name, several by their number. */
export function named(rows: readonly { name: string }[]): string {
  const [only] = rows
  return rows.length === 1 && only ? only.name : counted(rows.length, 'export')
}
