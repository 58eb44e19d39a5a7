import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/**
 * The pool as Kysely wants it, its answers taken by callback. The promise that pg makes itself keeps a query's rows alive until a
 * major garbage collection: every minor one then moves the rows of a dozen answers, and a request waits 15 ms for it instead of 0.5.
 */
export function answeringPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => answeringClient(await pool.connect()),
    end: () => pool.end(),
  }
}

function answeringClient(client: PoolClient): PostgresPoolClient {
  const query = <Row>(text: string, values: readonly unknown[]) =>
    new Promise<PostgresQueryResult<Row>>((resolve, reject) => {
      client.query(text, [...values], (error: Error | null, result) =>
        error ? reject(error) : resolve(result as unknown as PostgresQueryResult<Row>),
      )
    })
  return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}
