import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { openSecretBox } from '../auth/secret-box.ts'
import { readConfig } from '../config.ts'
import { openWarehouse } from './clickhouse.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import type { Engines } from './engines.ts'
import { openObjects } from './objects.ts'
import { openPostgres } from './postgres.ts'

export type TestEngines = Engines & { cleanup(): Promise<void> }

/**
 * Real engines for a test: a new empty database, objects and exports folder of its own. ClickHouse is one per worker process,
 * since chDB has one data folder per process: tests tell their rows apart by team id.
 */
export async function testEngines(): Promise<TestEngines> {
  const { folder, serverUrl } = await (worker ??= openWorker())
  const databaseUrl = await createDatabase(serverUrl)
  const path = await mkdtemp(join(folder, 'test-'))
  const dataDirectory = { path, release: async () => undefined }
  const config = readConfig({ DATABASE_URL: databaseUrl, SPOOL_DATA_DIR: path, SPOOL_SAMPLE_DATA: 'off' })
  const [postgres, warehouse, objects, secrets] = await Promise.all([
    openPostgres(config, null),
    openWarehouse(config, { path: folder, release: async () => undefined }),
    openObjects(config, dataDirectory),
    openSecretBox(config, dataDirectory),
  ])
  const exportsFolder = join(path, 'exports')
  await mkdir(exportsFolder)
  const stop = async () => {
    await warehouse.close()
    await postgres.stop()
  }
  return { dataDirectory, postgres, warehouse, objects, secrets, exportsFolder, stop, cleanup: stop }
}

type Worker = { folder: string; serverUrl: string }
let worker: Promise<Worker> | null = null

async function openWorker(): Promise<Worker> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-test-'))
  const server = await startEmbeddedPostgres(folder)
  process.once('exit', () => {
    process.kill(server.pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return { folder, serverUrl: server.url }
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
