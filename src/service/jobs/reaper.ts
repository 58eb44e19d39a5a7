import type { Services } from '../services.ts'
import { heartbeatTimeoutMs } from './claim-run.ts'
import { runPriority } from './queue.ts'

/** Time (ms) that a due run may wait for a worker before the reaper checks whether the run has lost its job. */
const overdueMs = 20_000
const runsMax = 1000

/** Re-enqueues runs whose worker is dead or whose job is lost; resolves to their number. */
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
        where('status', '=', 'Running').and('heartbeat_at', '<', before(heartbeatTimeoutMs)),
        where('status', '=', 'FailedRetryable').and('next_attempt_at', '<', before(overdueMs)),
        where('status', '=', 'Starting').and('last_updated_at', '<', before(overdueMs)),
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

/** Marks every worker as dead. Only correct if this process is the only one and has just started. */
export async function takeOverAll({ store }: Pick<Services, 'store'>): Promise<void> {
  await store
    .updateTable('batch_export_runs')
    .set({ heartbeat_at: new Date(0) })
    .where('status', '=', 'Running')
    .execute()
}
