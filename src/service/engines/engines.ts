import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSecretBox, type SecretBox } from './secret-box.ts'
import type { Config } from '../config.ts'
import { startCheckingProxy } from './checking-proxy.ts'
import type { Warehouse } from './clickhouse/clickhouse.ts'
import { openDataDirectory, type DataDirectory } from './data-directory.ts'
import { openHosts, type Hosts } from './hosts.ts'
import type { Objects } from './objects/objects.ts'
import { openObjects } from './objects/open-objects.ts'
import { openWarehouse } from './clickhouse/open-warehouse.ts'
import { openPostgres, type Postgres, type PostgresOptions } from './postgres/postgres.ts'
import { sizeThreadPool } from './thread-pool.ts'
import { StartupError } from '../startup-error.ts'

export type Engines = {
  /** Null when every engine is external and the secret key is configured: nothing is stored on this machine. */
  dataDirectory: DataDirectory | null
  postgres: Postgres
  warehouse: Warehouse
  objects: Objects
  secrets: SecretBox
  hosts: Hosts
  /** Root folder of the File destination; null with an external ClickHouse, which cannot write here. */
  exportsFolder: string | null
  /** Closes everything in reverse order. @throws AggregateError of all failures, after trying every part. */
  stop(): Promise<void>
}

/**
 * Opens the configured engines concurrently.
 * @throws StartupError when one cannot be opened; the engines already open are closed.
 */
export async function openEngines(config: Config, options: PostgresOptions = {}): Promise<Engines> {
  sizeThreadPool(config)
  const closers: (() => Promise<void>)[] = []
  const stop = () => closeAll(closers)
  try {
    const dataDirectory = await openDirectory(config)
    if (dataDirectory) closers.push(() => dataDirectory.release())
    const hosts = openHosts()
    const proxy = config.clickhouseUrl ? null : await startCheckingProxy(hosts)
    if (proxy) closers.push(() => proxy.stop())
    const [postgres, warehouse, objects, secrets, exportsFolder] = await allSettled([
      openPostgres(config, dataDirectory, options).then((postgres) =>
        registered(postgres, closers, () => postgres.stop()),
      ),
      openWarehouse(config, dataDirectory, proxy?.url).then((warehouse) =>
        registered(warehouse, closers, async () => {
          // Otherwise a statement that waits for a store that hangs would delay the end of the process.
          await proxy?.stop()
          await warehouse.close()
        }),
      ),
      openObjects(config, dataDirectory),
      openSecretBox(config, dataDirectory),
      openExportsFolder(config, dataDirectory),
    ])
    return { dataDirectory, postgres, warehouse, objects, secrets, hosts, exportsFolder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Opens the engines; null when another process has them open. */
export async function ownEngines(config: Config): Promise<Engines | null> {
  try {
    return await openEngines(config)
  } catch (error) {
    if (error instanceof StartupError) return null
    throw error
  }
}

async function openDirectory(config: Config): Promise<DataDirectory | null> {
  const isAllExternal = Boolean(config.databaseUrl && config.clickhouseUrl && config.objectsUrl)
  if (isAllExternal && config.secretKey) return null
  // With external engines the directory holds only the secret key, which any number of processes may read.
  return await openDataDirectory(config.dataDirectory, { shared: isAllExternal })
}

async function openExportsFolder(config: Config, dataDirectory: DataDirectory | null) {
  if (config.clickhouseUrl || !dataDirectory) return null
  const folder = join(dataDirectory.path, 'exports')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

function registered<T>(part: T, closers: (() => Promise<void>)[], close: () => Promise<void>): T {
  closers.push(close)
  return part
}

/** Like Promise.all, but rejects only after all have settled, so that every opened part has registered its closer. */
async function allSettled<T extends readonly Promise<unknown>[]>(parts: readonly [...T]) {
  await Promise.allSettled(parts)
  return await Promise.all(parts)
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).toReversed())
    await close().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'failed to close some engines')
}
