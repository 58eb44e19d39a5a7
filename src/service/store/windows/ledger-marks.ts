import { sql } from 'kysely'
import type { Window } from '../../../contract/interval.ts'
import {
  ledgerFlagsOf,
  ledgerStateOf,
  type JudgedEntry,
  type LedgerState,
} from '../../../contract/runs/ledger.ts'
import type { UsualRows } from '../../../contract/runs/usual-rows.ts'
import type { Store } from '../schema/database.ts'
import type { LedgerRow } from './ledger.ts'
import type { LedgerMark } from './judge-windows.ts'

type MarkedEntry = Omit<JudgedEntry, 'verified'> & Pick<LedgerRow, 'verified_at' | 'is_refuted'>

/** Returns what an entry of the ledger says of its interval. */
export function markOf(
  { start, end }: Window,
  entry: MarkedEntry,
  usual: UsualRows | null,
): LedgerMark & { state: LedgerState } {
  const judged = { ...entry, verified: entry.verified_at !== null }
  const flags = ledgerFlagsOf(judged, usual)
  const state = ledgerStateOf(judged, flags)
  return {
    start,
    end,
    flags,
    state,
    isRefuted: entry.is_refuted,
    isUnheld: !entry.is_refuted && (entry.rows_source ?? entry.rows_expected) < entry.rows_expected,
    isProven: state === 'proven',
  }
}

/**
 * Returns the marks of each export's flagged entries that touch its period (milliseconds), oldest first. Flags that compare a
 * window with those of other weeks are left out: the others follow from the stored entry alone, and an index lists the flagged
 * ones. An entry that a run in progress replaces is not refuted.
 */
export async function flaggedMarks(store: Store, exports: readonly (Window & { id: string })[]) {
  const dates = (times: readonly number[]) => times.map((time) => new Date(time))
  const { rows } = await sql<MarkedEntry & Window & { id: string; is_replaced: boolean }>`
    SELECT entry.batch_export_id AS id, date_part('epoch', data_interval_start) * 1000 AS start,
      date_part('epoch', data_interval_end) * 1000 AS end, rows_expected, rows_written, rows_read, rows_source, hash_expected,
      hash_read, objects_found, late_rows, verified_at, problem, erasure_id,
      is_refuted, is_refuted AND EXISTS (SELECT FROM batch_export_runs run WHERE run.batch_export_id = entry.batch_export_id
        AND run.data_interval_end = entry.data_interval_end AND run.data_interval_start = entry.data_interval_start
        AND run.status IN ('Starting', 'Running', 'FailedRetryable')) AS is_replaced
    FROM batch_export_ledger entry
    JOIN unnest(${exports.map(({ id }) => id)}::uuid[], ${dates(exports.map(({ start }) => start))}::timestamptz[],
      ${dates(exports.map(({ end }) => end))}::timestamptz[]) AS export (id, since, until) ON export.id = entry.batch_export_id
    WHERE (flagged OR erasure_id IS NOT NULL) AND data_interval_end > export.since AND data_interval_start < export.until
    ORDER BY data_interval_start, data_interval_end`.execute(store)
  const marks = rows.map(({ id, is_replaced, ...row }) => {
    const mark = markOf(row, row, null)
    return { ...mark, id, isRefuted: mark.isRefuted && !is_replaced }
  })
  return Map.groupBy(
    marks.filter(({ flags }) => flags.length > 0),
    ({ id }) => id,
  )
}
