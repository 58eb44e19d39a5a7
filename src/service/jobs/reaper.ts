import type { Services } from '../services.ts'
import { heartbeatLapse } from './claim-run.ts'
import { runPriority } from './queue.ts'

/** A run that should have been worked on by now, by so many milliseconds, may have lost its job. */
const patience = 20_000
const runsMax = 1000

/** Finds runs whose worker is dead and runs without a job, and enqueues them again; resolves to how many there were. */
export async function reap({
  clock,
  store,
  queue,
}: Pick<Services, 'clock' | 'store' | 'queue'>): Promise<number> {
  const now = clock.now()
  const before = (milliseconds: number) => new Date(now - milliseconds)
  const overdue = await store
    .selectFrom('batch_export_runs')
    .select(['id', 'origin'])
    .where((where) =>
      where.or([
        where('status', '=', 'Running').and('heartbeat_at', '<', before(heartbeatLapse)),
        where('status', '=', 'FailedRetryable').and('next_attempt_at', '<', before(patience)),
        where('status', '=', 'Starting').and('last_updated_at', '<', before(patience)),
      ]),
    )
    .orderBy('created_at')
    .limit(runsMax)
    .execute()
  if (overdue.length === 0) return 0
  const waiting = await queue.waiting(
    store,
    overdue.map(({ id }) => id),
  )
  const lost = overdue.filter(({ id }) => !waiting.has(id))
  await store.transaction().execute((transaction) =>
    queue.enqueue(
      transaction,
      lost.map(({ id, origin }) => ({ id, priority: runPriority[origin] })),
    ),
  )
  return lost.length
}

/** Declares every worker dead: true when this process is the only one and has just started. */
export async function takeOverAll({ store }: Pick<Services, 'store'>): Promise<void> {
  await store
    .updateTable('batch_export_runs')
    .set({ heartbeat_at: new Date(0) })
    .where('status', '=', 'Running')
    .execute()
}
