import { mkdir, mkdtemp } from 'node:fs/promises'
import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startCheckingProxy } from '../engines/checking-proxy.ts'
import { openHosts } from '../engines/hosts.ts'
import { openSecretBox } from '../engines/secret-box.ts'
import { readConfig } from '../config.ts'
import { openObjects } from '../engines/objects/open-objects.ts'
import { openWarehouse } from '../engines/clickhouse/open-warehouse.ts'
import { openPostgres } from '../engines/postgres/postgres.ts'
import { createDatabase } from './test-database.ts'

/** Addresses of host names that only tests know. */
export const testNames = new Map<string, () => string>()

const hosts = openHosts(async (name) => {
  const address = testNames.get(name)?.()
  return address === undefined ? await lookup(name, { all: true }) : [{ address, family: 4 }]
})
let proxy: ReturnType<typeof startCheckingProxy> | undefined
/** Keeps this process's ClickHouse running: starting it for each test file takes 0.2 s of processor time. */
let running: ReturnType<typeof openWarehouse> | undefined
/** Databases that this process has opened so far. */
let databases = 0

export type TestEngines = Awaited<ReturnType<typeof testEngines>>

/**
 * Opens real engines for a test, with a new database, objects and exports folder; without `content`, the database has all
 * tables. All test files of a process share one ClickHouse, because chDB has one data folder per process; team ids, which
 * differ between databases, keep their rows apart.
 */
export async function testEngines(content?: 'empty') {
  const testFolder = inject('testFolder')
  const databaseUrl = await createDatabase(inject('testServerUrl'), content)
  const path = await mkdtemp(join(testFolder, 'engines-'))
  const dataDirectory = { path, release: async () => undefined }
  const config = readConfig({ DATABASE_URL: databaseUrl, SPOOL_DATA_DIR: path, SPOOL_SAMPLE_DATA: 'off' })
  const warehouseFolder = join(testFolder, `process-${process.pid}`)
  await mkdir(warehouseFolder, { recursive: true })
  // One proxy per process: ClickHouse is opened once per process, with this proxy.
  const { url: proxyUrl } = await (proxy ??= startCheckingProxy(hosts))
  const openClickhouse = () => openWarehouse(config, { ...dataDirectory, path: warehouseFolder }, proxyUrl)
  await (running ??= openClickhouse())
  const [postgres, warehouse, objects, secrets] = await Promise.all([
    openPostgres(config, null),
    openClickhouse(),
    openObjects(config, dataDirectory),
    openSecretBox(config, dataDirectory),
  ])
  databases += 1
  /** No other database of this process has a project with this id, or one of the next 999. */
  const firstProjectId = 1000 * databases
  if (content !== 'empty')
    await postgres.pool.query(`ALTER TABLE projects ALTER COLUMN id RESTART WITH ${firstProjectId}`)
  const exportsFolder = join(path, 'exports')
  await mkdir(exportsFolder)
  const stop = async () => {
    await warehouse.close()
    await postgres.stop()
  }
  const engines = { dataDirectory, postgres, warehouse, objects, secrets, hosts, exportsFolder }
  return { ...engines, firstProjectId, stop, cleanup: stop }
}
