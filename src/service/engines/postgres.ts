import { Pool } from 'pg'
import type { Config } from '../config.ts'
import type { DataDirectory } from './data-directory.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { startupErrorFrom } from '../startup-error.ts'

export type Postgres = {
  pool: Pool
  /** Connection URL with the password; never log it. */
  url: string
  /** Closes the pool, and stops the server if it is embedded. */
  stop(): Promise<void>
}

const connectLimitMs = 5000

/**
 * Connects to the PostgreSQL server at DATABASE_URL, or else starts the embedded one in the data directory.
 * @throws StartupError when the server cannot be reached within `limitMs`, or cannot be started.
 */
export async function openPostgres(
  config: Config,
  dataDirectory: DataDirectory | null,
  limitMs = connectLimitMs,
): Promise<Postgres> {
  if (config.databaseUrl) {
    const pool = openPool(config.databaseUrl, limitMs)
    await assertReachable(pool, config.databaseUrl)
    return { pool, url: config.databaseUrl, stop: () => pool.end() }
  }
  if (!dataDirectory) throw new Error('the embedded PostgreSQL needs a data directory')
  const server = await startEmbeddedPostgres(dataDirectory.path)
  const pool = openPool(server.url)
  return {
    pool,
    url: server.url,
    async stop() {
      await pool.end()
      await server.stop()
    },
  }
}

function openPool(connectionString: string, limitMs = connectLimitMs): Pool {
  const pool = new Pool({
    connectionString,
    max: 20,
    connectionTimeoutMillis: limitMs,
    keepAlive: true,
  })
  // The next query replaces a broken idle connection; without a listener, its error would end the process.
  pool.on('error', () => undefined)
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
