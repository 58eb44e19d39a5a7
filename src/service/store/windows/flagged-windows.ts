import { sql } from 'kysely'
import { ledgerFlagsOf, type JudgedEntry } from '../../../contract/runs/ledger.ts'
import type { LedgerFlag } from '../../../contract/runs/ledger-flags.ts'
import type { Store } from '../schema/database.ts'

export type FlaggedWindow = { start: number; flags: LedgerFlag[] }

type Row = Omit<JudgedEntry, 'verified' | 'problem'> & { id: string; start: Date }

/**
 * Returns each export's flagged windows that end after its `start` (milliseconds), oldest first. Flags that compare a window
 * with those of other weeks are left out: the others follow from the stored entry alone, and an index lists the flagged ones.
 */
export async function flaggedWindows(
  store: Store,
  exports: readonly { id: string; start: number }[],
): Promise<Map<string, FlaggedWindow[]>> {
  const ids = exports.map(({ id }) => id)
  const since = exports.map(({ start }) => new Date(start))
  const { rows } = await sql<Row>`
    SELECT batch_export_id AS id, data_interval_start AS start, rows_expected, rows_written, rows_read, rows_source,
      hash_expected, hash_read, objects_found, late_rows
    FROM batch_export_ledger
    JOIN unnest(${ids}::uuid[], ${since}::timestamptz[]) AS export (id, since) ON export.id = batch_export_id
    WHERE flagged AND data_interval_end > export.since
    ORDER BY data_interval_start`.execute(store)
  const flagged = rows.flatMap(({ id, start, ...entry }) => {
    const flags = ledgerFlagsOf({ ...entry, verified: true, problem: null }, null)
    return flags.length === 0 ? [] : [{ id, start: start.getTime(), flags }]
  })
  return Map.groupBy(flagged, ({ id }) => id)
}
