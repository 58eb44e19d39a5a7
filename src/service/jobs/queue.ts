import { sql } from 'kysely'
import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { asJobDatabase, type Store, type StoreTransaction } from '../store/database.ts'

/** Jobs with a higher priority run first. */
export const runPriority = { retry: 20, schedule: 10, backfill: 0 } as const

export type QueuedRun = {
  id: string
  priority: number
  /** Delay in seconds before the job may run. */
  startAfterSeconds?: number
}

/**
 * Queue of due runs. A job only asks a worker to check a run; the run's row is authoritative, so lost, late
 * or duplicate jobs do no harm.
 */
export type RunQueue = {
  /** Enqueues runs in the caller's transaction, so that run and job commit together. */
  enqueue(transaction: StoreTransaction, runs: readonly QueuedRun[]): Promise<void>
  /** Returns the ids of the given runs that have a waiting job. */
  waiting(store: Store, runIds: readonly string[]): Promise<Set<string>>
  /** Calls the handler with the ids of due runs, at most `concurrency` at once. */
  work(handler: (runId: string) => Promise<void>, concurrency: number): Promise<void>
  /** Stops fetching jobs; resolves when the running handlers have finished. */
  stopWork(): Promise<void>
  stop(): Promise<void>
}

const schema = 'queue'
const queueName = 'run'
const daySeconds = 86_400

/** Opens the queue in the pool's database; pg-boss creates and migrates its own schema. Idle workers poll for jobs. */
export async function openRunQueue(
  pool: Pool,
  report: (error: unknown) => void = () => undefined,
  pollingIntervalSeconds = 0.5,
): Promise<RunQueue> {
  const boss = new PgBoss({
    // pg-boss sends several statements in one query and merges their results itself.
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema,
    schedule: false,
  })
  boss.on('error', report)
  await boss.start()
  // The run's row, not its job, decides when another worker takes over and when the next attempt is due.
  await boss.createQueue(queueName, {
    retryLimit: 0,
    expireInSeconds: daySeconds - 1,
    retentionSeconds: 30 * daySeconds,
    deleteAfterSeconds: 600,
  })
  let stopped: Promise<void> | null = null

  return {
    async enqueue(transaction, runs) {
      if (runs.length === 0) return
      const jobs = runs.map(({ id, priority, startAfterSeconds }) => ({
        data: { id },
        priority,
        ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
      }))
      await boss.insert(queueName, jobs, { db: asJobDatabase(transaction) })
    },
    async waiting(store, runIds) {
      const { rows } = await sql<{ id: string }>`
        SELECT data->>'id' AS id FROM ${sql.id(schema, 'job')}
        WHERE name = ${queueName} AND state < 'active' AND data->>'id' = ANY(${runIds})`.execute(store)
      return new Set(rows.map(({ id }) => id))
    },
    async work(handler, concurrency) {
      for (let worker = 0; worker < concurrency; worker += 1) {
        const options = { batchSize: 1, pollingIntervalSeconds }
        const id: string = await boss.work<{ id: string }>(queueName, options, async (jobs) => {
          for (const { data } of jobs) await handler(data.id)
          // Fetches the next job at once instead of after the polling interval.
          boss.notifyWorker(id)
        })
      }
    },
    async stopWork() {
      await boss.offWork(queueName, { wait: true })
    },
    stop() {
      return (stopped ??= boss.stop({ graceful: false }))
    },
  }
}
