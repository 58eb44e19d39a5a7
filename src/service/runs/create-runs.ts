import { sql } from 'kysely'
import type { Window } from '../../contract/interval.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { newId } from '../store/schema/identifier.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { runPriority } from './queue.ts'

export type NewRuns = {
  export: Pick<BatchExportRow, 'id' | 'project_id'>
  backfillId: string | null
  origin: RunRow['origin']
  selectsBy: RunRow['selects_by']
  windows: readonly Window[]
}

/**
 * Creates a run and its job for each window, oldest first, and returns the ids of the new runs. A window never gets a second
 * scheduled run.
 */
export async function createRuns(
  { clock, queue }: Pick<Services, 'clock' | 'queue'>,
  transaction: StoreTransaction,
  runs: NewRuns,
): Promise<string[]> {
  const now = clock.now()
  const ids = runs.windows.map(() => newId(now))
  const starts = runs.windows.map(({ start }) => new Date(start))
  const ends = runs.windows.map(({ end }) => new Date(end))
  const created = await sql<{ id: string }>`
    INSERT INTO batch_export_runs (id, batch_export_id, project_id, backfill_id, origin, selects_by, status, attempt,
      data_interval_start, data_interval_end, records_completed, created_at, last_updated_at)
    SELECT id, ${runs.export.id}::uuid, ${runs.export.project_id}::integer, ${runs.backfillId}::uuid, ${runs.origin},
      ${runs.selectsBy}, 'Starting', 0, starts, ends, 0, ${new Date(now)}::timestamptz, ${new Date(now)}::timestamptz
    FROM unnest(${ids}::uuid[], ${starts}::timestamptz[], ${ends}::timestamptz[]) AS run (id, starts, ends)
    ON CONFLICT (batch_export_id, data_interval_start) WHERE origin = 'schedule' DO NOTHING
    RETURNING id`.execute(transaction)
  const createdIds = created.rows.map(({ id }) => id)
  const priority = runPriority[runs.origin]
  await queue.enqueue(
    transaction,
    createdIds.map((id) => ({ id, priority })),
  )
  return createdIds
}
