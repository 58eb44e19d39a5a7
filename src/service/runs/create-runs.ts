import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { insertRuns, type NewRuns } from '../store/runs/write-runs.ts'
import { runPriority } from './queue.ts'

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
  const priority = runPriority[runs.origin]
  await queue.enqueue(
    transaction,
    ids.map((id) => ({ id, priority })),
  )
  return ids
}
