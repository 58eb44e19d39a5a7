import { sql, type RawBuilder, type Updateable } from 'kysely'
import type { Window } from '../../../contract/interval.ts'
import { statusesInProgress } from '../../../contract/runs/run-status.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { RunsTable, SentPosition } from '../schema/export-tables.ts'
import { newId } from '../schema/identifier.ts'
import { assignments, updateRows } from '../schema/rows.ts'
import { noteChanged } from './day-changes.ts'
import type { RunRow } from './runs-list.ts'

/*
 * The statements that write runs: only files of this folder have any, which their test checks. A statement that may change the
 * state of a window notes its days for the stored states.
 */

export type NewRuns = {
  export: { id: string; project_id: number }
  backfillId: string | null
  origin: RunRow['origin']
  selectsBy: RunRow['selects_by']
  windows: readonly Window[]
}

/** Inserts the scheduled runs of these windows of an export, as insertRuns does. */
export function insertScheduledRuns(
  transaction: StoreTransaction,
  row: NewRuns['export'],
  windows: readonly Window[],
  now: number,
): Promise<string[]> {
  const origin = { export: row, backfillId: null, origin: 'schedule', selectsBy: 'arrival' } as const
  return insertRuns(transaction, { ...origin, windows }, now)
}

/** Inserts a run for each window, except second scheduled ones; returns the ids of those inserted, in their order. */
export async function insertRuns(
  transaction: StoreTransaction,
  { export: { id: exportId, project_id: projectId }, backfillId, origin, selectsBy, windows }: NewRuns,
  now: number,
): Promise<string[]> {
  const ids = windows.map(() => newId(now))
  const starts = windows.map(({ start }) => new Date(start))
  const ends = windows.map(({ end }) => new Date(end))
  const { rows } = await sql<{ id: string }>`
    WITH changed AS (
      INSERT INTO batch_export_runs (id, batch_export_id, project_id, backfill_id, origin, selects_by, status, attempt,
        data_interval_start, data_interval_end, records_completed, created_at, last_updated_at)
      SELECT id, ${exportId}::uuid, ${projectId}::integer, ${backfillId}::uuid, ${origin}, ${selectsBy}, 'Starting', 0, starts,
        ends, 0, ${new Date(now)}::timestamptz, ${new Date(now)}::timestamptz
      FROM unnest(${ids}::uuid[], ${starts}::timestamptz[], ${ends}::timestamptz[]) AS run (id, starts, ends)
      ON CONFLICT (batch_export_id, data_interval_start) WHERE origin = 'schedule' DO NOTHING
      RETURNING id, batch_export_id, data_interval_start, data_interval_end), ${noteChanged}
    SELECT id FROM changed`.execute(transaction)
  return rows.map(({ id }) => id)
}

/** Changes the columns of the runs that meet a condition, among them the status, and returns them. */
export async function changeRuns(
  store: Store,
  change: Updateable<RunsTable> & Pick<RunRow, 'status'>,
  condition: RawBuilder<unknown>,
): Promise<RunRow[]> {
  return await rowsOf<RunRow>(store)`
    WITH changed AS (
      UPDATE batch_export_runs SET ${assignments(change)} WHERE ${condition} RETURNING *), ${noteChanged}
    SELECT * FROM changed`
}

/** Ends the runs that meet a condition and are in progress, and returns them. Their workers notice at the next heartbeat. */
export function endRunsInProgress(
  transaction: StoreTransaction,
  status: 'Cancelled' | 'Terminated',
  now: Date,
  condition: RawBuilder<unknown>,
): Promise<RunRow[]> {
  return changeRuns(
    transaction,
    { status, finished_at: now, last_updated_at: now, cancel_requested_at: now, next_attempt_at: null },
    sql`status = ANY (${statusesInProgress}::text[]) AND ${condition}`,
  )
}

/** Identifies an attempt, so that a worker never changes a run that another attempt has claimed. */
export type Attempt = Pick<RunRow, 'id' | 'worker_id' | 'attempt'>

/** Ends an attempt only if the run still belongs to it, so that a worker considered dead cannot do any harm. */
export async function endAttempt(
  store: Store,
  { id, worker_id, attempt }: Attempt,
  change: Updateable<RunsTable> & Pick<RunRow, 'status'>,
): Promise<RunRow | undefined> {
  const [run] = await changeRuns(
    store,
    change,
    sql`id = ${id} AND status = 'Running' AND worker_id = ${worker_id} AND attempt = ${attempt}`,
  )
  return run
}

/** Stores the heartbeat and the progress of an attempt; returns false if the run no longer belongs to it. */
export async function storeHeartbeat(
  store: Store,
  { id, worker_id, attempt }: Attempt,
  at: Date,
  progress: Partial<Pick<RunRow, 'records_completed' | 'records_total_count'>>,
): Promise<boolean> {
  const current = { id, status: 'Running', worker_id, attempt } as const
  const change = { heartbeat_at: at, last_updated_at: at, ...progress }
  return (await updateRows(store, 'batch_export_runs', current, change)) > 0
}

/** Stores how far an attempt has got; returns false if the run no longer belongs to it. */
export async function storeSentPosition(
  store: Store,
  { id, worker_id, attempt }: Attempt,
  position: SentPosition,
): Promise<boolean> {
  const current = { id, status: 'Running', worker_id, attempt } as const
  return (await updateRows(store, 'batch_export_runs', current, { sent_position: position })) > 0
}

/** Marks every worker as dead. Only correct if this process is the only one and has just started. */
export async function takeOverAll({ store }: { store: Store }): Promise<void> {
  await updateRows(store, 'batch_export_runs', { status: 'Running' }, { heartbeat_at: new Date(0) })
}

export async function storeFailureCause(transaction: StoreTransaction, id: string, cause: string) {
  await updateRows(transaction, 'batch_export_runs', { id }, { failure_cause: cause })
}

/**
 * Deletes up to `max` runs that have ended, of windows that ended before a time, with their log entries. Returns their number.
 */
export async function deleteRunsBefore(
  store: Store,
  projectId: number,
  before: Date,
  max: number,
): Promise<number> {
  const deleted = await rowsOf(store)`
    WITH changed AS (
      DELETE FROM batch_export_runs WHERE id IN (
        SELECT id FROM batch_export_runs WHERE project_id = ${projectId} AND data_interval_end < ${before}
          AND status <> ALL (${statusesInProgress}::text[]) LIMIT ${max}) RETURNING *),
      logs AS (DELETE FROM batch_export_logs WHERE run_id IN (SELECT id FROM changed)), ${noteChanged}
    SELECT FROM changed`
  return deleted.length
}
