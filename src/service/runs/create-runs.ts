import type { Window } from '../../contract/interval.ts'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { insertRuns, type NewRuns } from '../store/runs/write-runs.ts'

/**
 * Creates a run and its job for each window, oldest first, and returns the ids of the new runs. A window never gets a second
 * scheduled run.
 */
export async function createRuns(
  { clock, queue }: Pick<Services, 'clock' | 'queue'>,
  transaction: StoreTransaction,
  runs: NewRuns,
): Promise<string[]> {
  const ids = await insertRuns(transaction, runs, clock.now())
  await queue.enqueue(
    transaction,
    ids.map((id) => ({ id, origin: runs.origin })),
  )
  return ids
}

/** Creates the scheduled runs of these windows of an export. */
export function createScheduledRuns(
  services: Pick<Services, 'clock' | 'queue'>,
  transaction: StoreTransaction,
  row: NewRuns['export'],
  windows: readonly Window[],
): Promise<string[]> {
  const origin = { export: row, backfillId: null, origin: 'schedule', selectsBy: 'arrival' } as const
  return createRuns(services, transaction, { ...origin, windows })
}
