import { sql } from 'kysely'
import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { asJobDatabase, type Store, type StoreTransaction } from '../store/database.ts'

/** Jobs of a higher priority go first. */
export const runPriority = { retry: 20, schedule: 10, backfill: 0 } as const

export type QueuedRun = {
  id: string
  priority: number
  /** Not before so many seconds from now. */
  startAfterSeconds?: number
}

/**
 * The queue of runs that are due. A job only says "look at this run": the run's row is the truth, so a job that is
 * lost, late or doubled does no harm.
 */
export type RunQueue = {
  /** Enqueues in the caller's transaction: run and job commit together. */
  enqueue(transaction: StoreTransaction, runs: readonly QueuedRun[]): Promise<void>
  /** Those of the runs that have a job waiting. */
  waiting(store: Store, runIds: readonly string[]): Promise<Set<string>>
  /** Calls the handler with the ids of due runs, at most `concurrency` at once. */
  work(handler: (runId: string) => Promise<void>, concurrency: number): Promise<void>
  /** Takes no more jobs; resolves when the handlers that run are done. */
  stopWork(): Promise<void>
  stop(): Promise<void>
}

const schema = 'queue'
const queueName = 'run'
const daySeconds = 86_400

/** Opens the queue in the pool's database, in a schema of its own that it migrates itself; idle workers poll it. */
export async function openRunQueue(
  pool: Pool,
  report: (error: unknown) => void = () => undefined,
  pollingIntervalSeconds = 0.5,
): Promise<RunQueue> {
  const boss = new PgBoss({
    // Some of its texts hold several statements, whose results it joins itself.
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema,
    schedule: false,
  })
  boss.on('error', report)
  await boss.start()
  // A run is taken over by its heartbeat and tried again by its row, not by its job.
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
          // The next job is fetched at once instead of after the polling interval.
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
