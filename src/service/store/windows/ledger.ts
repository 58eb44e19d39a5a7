import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Window } from '../../../contract/interval.ts'
import type { LedgerObject, VerifyMode } from '../../../contract/runs/ledger.ts'
import { safeJson, safeText } from '../../engines/safe-text.ts'
import { rowsOf, inTransaction, type Store, type StoreTransaction } from '../schema/database.ts'
import { noteChanged, noteDays } from '../runs/day-changes.ts'
import type { LedgerSettings, LedgerTable, VerifiedColumns, WrittenColumns } from '../schema/ledger-tables.ts'
import { findRow, updateRows } from '../schema/rows.ts'

export type LedgerRow = Selectable<LedgerTable>
/** A window of an export, as its runs name it. */
type WindowKey = Pick<LedgerRow, 'batch_export_id' | 'data_interval_start' | 'data_interval_end'>
/** `problem`: why the window cannot be read back, if it cannot. */
export type WrittenWindow = Selectable<WrittenColumns> & { problem?: string | null }
/** What a verification found. */
export type VerifiedWindow = Selectable<VerifiedColumns> & Pick<LedgerRow, 'objects'>

/** These columns of a window that was never verified. */
export const unverified: Selectable<VerifiedColumns> = {
  objects_found: null,
  rows_source: null,
  hash_expected: null,
  rows_read: null,
  hash_read: null,
  late_rows: 0,
  problem: null,
}

/** Longest text of a problem, in characters. */
const problemMax = 4000

/** Returns the settings that a run used, for the ledger. */
export function ledgerSettings(row: LedgerSettings): LedgerSettings {
  const { model, hogql_query, destination_type, destination_config, integration_config } = row
  return { model, hogql_query, destination_type, destination_config, integration_config }
}

/**
 * Records what a run wrote for its window, unless a newer run has written the window meanwhile. The window then waits for
 * verification if the export verifies after each run.
 */
export async function recordWindow(transaction: StoreTransaction, window: WrittenWindow): Promise<void> {
  await sql`
    INSERT INTO batch_export_ledger (batch_export_id, data_interval_start, data_interval_end, run_id, selects_by, taken_until,
      settings, rows_expected, rows_written, objects, written_at, problem, verify_turn, verify_requested_at, erasure_id)
    SELECT ${window.batch_export_id}::uuid, ${window.data_interval_start}::timestamptz, ${window.data_interval_end}::timestamptz,
      ${window.run_id}::uuid, ${window.selects_by}, ${window.taken_until}::timestamptz, ${safeJson(window.settings)}::jsonb,
      ${window.rows_expected}::bigint, ${window.rows_written}::bigint, ${safeJson(window.objects)}::jsonb,
      ${window.written_at}::timestamptz, ${window.problem ?? null}::text, CASE WHEN verifies THEN 0 END,
      CASE WHEN verifies THEN ${window.written_at}::timestamptz END,
      (SELECT erased.erasure_id FROM person_erasure_windows erased JOIN person_erasures erasure ON erasure.id = erased.erasure_id
        JOIN batch_export_runs run ON run.id = ${window.run_id}::uuid
        WHERE erased.batch_export_id = ${window.batch_export_id}::uuid AND erased.data_interval_start = ${window.data_interval_start}::timestamptz
          AND erased.data_interval_end = ${window.data_interval_end}::timestamptz
          AND (hidden_at IS NULL OR run.started_at <= hidden_at) LIMIT 1)
    FROM (SELECT EXISTS (SELECT FROM batch_export_verify_modes
      WHERE batch_export_id = ${window.batch_export_id} AND mode = 'each_run') AS verifies) AS mode
    ON CONFLICT (batch_export_id, data_interval_start, data_interval_end) DO UPDATE SET run_id = excluded.run_id,
      selects_by = excluded.selects_by, taken_until = excluded.taken_until, settings = excluded.settings,
      rows_expected = excluded.rows_expected, rows_written = excluded.rows_written, objects = excluded.objects,
      written_at = excluded.written_at, verified_at = NULL, objects_found = NULL, rows_source = NULL, hash_expected = NULL,
      rows_read = NULL, hash_read = NULL, late_rows = 0, problem = excluded.problem, claimed_until = NULL, erasure_id = excluded.erasure_id,
      verify_turn = coalesce(batch_export_ledger.verify_turn, excluded.verify_turn),
      verify_requested_at = coalesce(batch_export_ledger.verify_requested_at, excluded.verify_requested_at)
    WHERE batch_export_ledger.written_at <= excluded.written_at`.execute(transaction)
  await noteWindow(transaction, window)
}

/** Notes the days of a window, whose rows may be refuted since, or no longer. */
async function noteWindow(
  transaction: StoreTransaction,
  { batch_export_id, data_interval_start, data_interval_end }: WindowKey,
): Promise<void> {
  const bounds = { start: data_interval_start.getTime(), end: data_interval_end.getTime() }
  await noteDays(transaction, batch_export_id, bounds)
}

/** An entry without its long texts, which a list of thousands of windows does not need. */
export type LedgerEntryRow = Omit<LedgerRow, 'settings' | 'objects'>

/** Returns the recorded windows of an export that touch [start, end) (milliseconds), oldest first. */
export async function recordedBetween(store: Store, batchExportId: string, period: Window) {
  return await rowsOf<LedgerEntryRow>(store)`
    SELECT batch_export_id, data_interval_start, data_interval_end, run_id, selects_by, taken_until, rows_expected, rows_written,
      written_at, verified_at, objects_found, rows_source, hash_expected, rows_read, hash_read, late_rows, problem,
      verification_id, verify_turn, verify_requested_at, claimed_until, is_refuted, erasure_id
    FROM batch_export_ledger WHERE ${touching(batchExportId, period)}
    ORDER BY data_interval_start, data_interval_end`
}

/** The first objects that a run wrote, with the number and the size of all. */
export type WrittenObjects = {
  objects: LedgerObject[]
  object_count: number
  bytes: number
  /** Only the settings that name the place. */
  written_to: Pick<LedgerSettings, 'destination_type' | 'destination_config' | 'integration_config'>
}

/** Returns the objects of an export's recorded windows that touch [start, end) (milliseconds), by run; `max` of each run. */
export async function objectsBetween(
  store: Store,
  batchExportId: string,
  { start, end }: Window,
  max: number,
): Promise<Map<string, WrittenObjects>> {
  const { rows } = await sql<WrittenObjects & { run_id: string }>`
    SELECT run_id, jsonb_array_length(objects) AS object_count,
      (SELECT coalesce(sum((object ->> 'bytes')::bigint), 0)::bigint FROM jsonb_array_elements(objects) AS object) AS bytes,
      jsonb_path_query_array(objects, '$[0 to $max]', jsonb_build_object('max', ${max - 1}::integer)) AS objects,
      jsonb_build_object('destination_type', settings -> 'destination_type', 'integration_config', settings -> 'integration_config', 'destination_config',
        (settings -> 'destination_config') - '{include_events,exclude_events,columns}'::text[]) AS written_to
    FROM batch_export_ledger WHERE ${touching(batchExportId, { start, end })}`.execute(store)
  return new Map(rows.map(({ run_id, ...written }) => [run_id, written]))
}

/** Counts the objects of an export's recorded windows that touch [start, end) (milliseconds). */
export async function countObjects(store: Store, batchExportId: string, period: Window): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT coalesce(sum(jsonb_array_length(objects)), 0)::bigint AS count
    FROM batch_export_ledger WHERE ${touching(batchExportId, period)}`.execute(store)
  return rows[0]?.count ?? 0
}

function touching(batchExportId: string, { start, end }: Window): RawBuilder<boolean> {
  return sql`batch_export_id = ${batchExportId}
    AND data_interval_start < ${new Date(end)} AND data_interval_end > ${new Date(start)}`
}

/** Claims the next window that waits for its verification and that no other process verifies. */
export async function claimWaitingWindow(store: Store, now: number, claimMs: number) {
  const { rows } = await sql<LedgerRow>`
    UPDATE batch_export_ledger SET claimed_until = ${new Date(now + claimMs)}
    WHERE (batch_export_id, data_interval_start, data_interval_end) = (
      SELECT batch_export_id, data_interval_start, data_interval_end FROM batch_export_ledger
      WHERE verify_requested_at IS NOT NULL AND (claimed_until IS NULL OR claimed_until < ${new Date(now)})
      ORDER BY verify_turn, verify_requested_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(store)
  return rows[0]
}

/** Stores what a verification found, unless another run has written the window meanwhile. */
export async function storeVerified(
  store: Store,
  row: LedgerRow,
  { objects, ...found }: VerifiedWindow,
  at: Date,
): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const { batch_export_id, data_interval_start, data_interval_end, run_id } = row
    const written = { batch_export_id, data_interval_start, data_interval_end, run_id }
    await updateRows(transaction, 'batch_export_ledger', written, {
      ...found,
      ...(objects !== row.objects && { objects: safeJson(objects) }),
      problem: found.problem === null ? null : safeText(found.problem, problemMax),
      verified_at: at,
      verify_requested_at: null,
      verify_turn: null,
      claimed_until: null,
    })
    await noteWindow(transaction, row)
  })
}

/**
 * Ends the verification of all waiting windows of an export whose destination cannot be reached. What an earlier one found wrong
 * with a window still counts.
 */
export async function storeUnreachable(store: Store, batchExportId: string, problem: string, at: Date) {
  await sql`WITH changed AS (
    UPDATE batch_export_ledger SET problem = ${safeText(problem, problemMax)}, verified_at = ${at},
      objects_found = CASE WHEN is_refuted THEN objects_found END, rows_read = CASE WHEN is_refuted THEN rows_read END,
      hash_read = CASE WHEN is_refuted THEN hash_read END, verify_requested_at = NULL, verify_turn = NULL, claimed_until = NULL
    WHERE batch_export_id = ${batchExportId} AND verify_requested_at IS NOT NULL
    RETURNING batch_export_id, data_interval_start, data_interval_end), ${noteChanged} SELECT`.execute(store)
}

/** Makes all claimed windows available again, when no other process can be verifying them. */
export async function releaseWindows(store: Store): Promise<void> {
  await sql`UPDATE batch_export_ledger SET claimed_until = NULL
    WHERE verify_requested_at IS NOT NULL`.execute(store)
}

export async function verifyModeOf(store: Store, batchExportId: string): Promise<VerifyMode> {
  const row = await findRow(store, 'batch_export_verify_modes', { batch_export_id: batchExportId })
  return row?.mode ?? 'never'
}

export async function setVerifyMode(store: Store, batchExportId: string, mode: VerifyMode): Promise<void> {
  await store
    .insertInto('batch_export_verify_modes')
    .values({ batch_export_id: batchExportId, mode, sampled_at: null })
    .onConflict((conflict) => conflict.column('batch_export_id').doUpdateSet({ mode }))
    .execute()
}
