import { Pool } from 'pg'
import type { Config } from '../../config.ts'
import type { DataDirectory } from '../data-directory.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { superviseServer } from './supervise-server.ts'
import { startupErrorFrom } from '../../startup-error.ts'

export type Postgres = {
  pool: Pool
  /** Connection URL with the password; never log it. The embedded server's port can change when it is started again. */
  url: string
  /** Closes the pool, and stops the server if it is embedded. */
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** Time (ms) in which the server must accept a connection. */
  limitMs?: number
  /** Called when the embedded server has ended unexpectedly, and when it cannot be started again. */
  report?: (problem: string, error?: unknown) => void
}

const connectLimitMs = 5000

/**
 * Connects to the PostgreSQL server at DATABASE_URL, or else starts the embedded one in the data directory.
 * @throws StartupError when the server cannot be reached within `limitMs`, or cannot be started.
 */
export async function openPostgres(
  config: Config,
  dataDirectory: DataDirectory | null,
  { limitMs = connectLimitMs, report = () => undefined }: PostgresOptions = {},
): Promise<Postgres> {
  if (config.databaseUrl) {
    const pool = openPool(config.databaseUrl, limitMs)
    await assertReachable(pool, config.databaseUrl)
    return { pool, url: config.databaseUrl, stop: () => pool.end() }
  }
  if (!dataDirectory) throw new Error('the embedded PostgreSQL needs a data directory')
  const server = await startEmbeddedPostgres(dataDirectory.path, config.postgresMb)
  const pool = openPool(server.url)
  const supervision = superviseServer(server, {
    report,
    onRestart: () => (pool.options.connectionString = server.url),
  })
  return {
    pool,
    get url() {
      return server.url
    },
    async stop() {
      await supervision.stop()
      await pool.end()
      await server.stop()
    },
  }
}

/** Opens a pool. A broken connection fails only its own statements; the next statement gets a new connection. */
export function openPool(connectionString: string, limitMs = connectLimitMs, max = 20): Pool {
  const pool = new Pool({ connectionString, max, connectionTimeoutMillis: limitMs, keepAlive: true })
  // The error also reaches the statement in progress, or else the next one. Without listeners on the pool (for idle
  // connections) and on each connection (while in use, even between statements), it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function assertReachable(pool: Pool, url: string): Promise<void> {
  try {
    await pool.query('SELECT 1')
  } catch (cause) {
    await pool.end()
    const { host, pathname } = new URL(url)
    throw startupErrorFrom(cause, `PostgreSQL at ${host}${pathname} (DATABASE_URL) cannot be used`)
  }
}
