import type { Window } from '../../contract/interval.ts'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { insertRuns, type NewRuns } from '../store/runs/write-runs.ts'

/**
 * Creates a run for each window, oldest first, and returns the ids of the new runs. A window never gets a second
 * scheduled run.
 */
export async function createRuns(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  runs: NewRuns,
): Promise<string[]> {
  return await insertRuns(transaction, runs, clock.now())
}

/** Creates the scheduled runs of these windows of an export. */
export function createScheduledRuns(
  services: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  row: NewRuns['export'],
  windows: readonly Window[],
): Promise<string[]> {
  const origin = { export: row, backfillId: null, origin: 'schedule', selectsBy: 'arrival' } as const
  return createRuns(services, transaction, { ...origin, windows })
}
