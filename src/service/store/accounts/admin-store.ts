import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { openDataDirectory } from '../../engines/data-directory.ts'
import { openPool, openPostgres } from '../../engines/postgres/postgres.ts'
import { openStore, type Store } from '../schema/database.ts'
import { migrate } from '../schema/migrate.ts'

const ConnectionFile = z.object({ url: z.string() })

/**
 * Calls `work` with the migrated store of an installation: in the running service's PostgreSQL, or in one started only for
 * this call.
 * @throws StartupError if PostgreSQL cannot be opened
 */
export async function withAdminStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const { pool, close } = (await runningPostgres(config)) ?? (await ownPostgres(config))
  try {
    await migrate(openStore(pool, { limitMs: null }))
    return await work(openStore(pool))
  } finally {
    await close()
  }
}

type Opened = { pool: Pool; close(): Promise<void> }

async function runningPostgres(config: Config): Promise<Opened | null> {
  if (config.databaseUrl) return null
  const url = await connectionUrl(config)
  if (url === null) return null
  const pool = openPool(url, 3000, 2)
  try {
    await pool.query('SELECT 1')
    return { pool, close: () => pool.end() }
  } catch {
    // A killed service left the file behind; its PostgreSQL is no longer listening.
    await pool.end()
    return null
  }
}

async function connectionUrl(config: Config): Promise<string | null> {
  try {
    const text = await readFile(join(config.dataDirectory, 'postgres.json'), 'utf8')
    return ConnectionFile.parse(JSON.parse(text)).url
  } catch {
    return null
  }
}

async function ownPostgres(config: Config): Promise<Opened> {
  const dataDirectory = config.databaseUrl ? null : await openDataDirectory(config.dataDirectory)
  try {
    const postgres = await openPostgres(config, dataDirectory)
    const close = async () => {
      await postgres.stop()
      await dataDirectory?.release()
    }
    return { pool: postgres.pool, close }
  } catch (error) {
    await dataDirectory?.release()
    throw error
  }
}
