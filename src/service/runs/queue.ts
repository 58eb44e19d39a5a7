import { sql } from 'kysely'
import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { pooledClient } from '../engines/postgres/pooled-client.ts'
import { asJobDatabase, type Store, type StoreTransaction } from '../store/schema/database.ts'

type QueuedRun = { id: string }

/**
 * Queue of due runs. A job only wakes the dispatcher, which reads the due runs from their table, so lost, late or
 * duplicate jobs do no harm.
 */
export type RunQueue = {
  /** Enqueues runs, after a delay if given, in the caller's transaction, so that run and job commit together. */
  enqueue(transaction: StoreTransaction, runs: readonly QueuedRun[], delaySeconds?: number): Promise<void>
  /** Returns the ids of the given runs that have a waiting job. */
  waiting(store: Store, runIds: readonly string[]): Promise<Set<string>>
  /** Calls `wake` whenever runs become due. */
  work(wake: () => void): Promise<void>
  /** Stops fetching jobs. */
  stopWork(): Promise<void>
  stop(): Promise<void>
}

const schema = 'queue'
const queueName = 'run'
const daySeconds = 86_400
/** Jobs per fetch. */
const jobsMax = 1000
/** Time limit (ms) of a pg-boss statement; some delete a whole day's jobs. */
const statementLimitMs = 60_000

/** Opens the queue in the pool's database; pg-boss creates and migrates its own schema. Idle workers poll for jobs. */
export async function openRunQueue(
  pool: Pool,
  report: (error: unknown) => void = () => undefined,
  pollingIntervalSeconds = 0.5,
): Promise<RunQueue> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => execute(pool, text, values) },
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
    async enqueue(transaction, runs, startAfter = 0) {
      if (runs.length === 0) return
      const jobs = runs.map(({ id }) => ({ data: { id }, startAfter }))
      await boss.insert(queueName, jobs, { db: asJobDatabase(transaction) })
    },
    async waiting(store, runIds) {
      const { rows } = await sql<{ id: string }>`
        SELECT data->>'id' AS id FROM ${sql.id(schema, 'job')}
        WHERE name = ${queueName} AND state < 'active' AND data->>'id' = ANY(${runIds})`.execute(store)
      return new Set(rows.map(({ id }) => id))
    },
    async work(wake) {
      const options = { batchSize: jobsMax, burstWhenBatchFull: true, pollingIntervalSeconds }
      await boss.work(queueName, options, async () => wake())
    },
    async stopWork() {
      await boss.offWork(queueName, { wait: true })
    },
    stop() {
      return (stopped ??= boss.stop({ graceful: false }))
    },
  }
}

/** Executes the statements of pg-boss, which sends several in one query and merges their results itself. */
async function execute(pool: Pool, text: string, values: unknown[] = []) {
  const client = pooledClient(await pool.connect(), statementLimitMs)
  try {
    return await client.query(text, values)
  } finally {
    client.release()
  }
}
