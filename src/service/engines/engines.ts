import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSecretBox, type SecretBox } from './secret-box.ts'
import type { Config } from '../config.ts'
import type { Warehouse } from './clickhouse.ts'
import { openDataDirectory, type DataDirectory } from './data-directory.ts'
import type { Objects } from './objects.ts'
import { openObjects } from './open-objects.ts'
import { openWarehouse } from './open-warehouse.ts'
import { openPostgres, type Postgres } from './postgres.ts'

export type Engines = {
  /** Null when every engine and the secret key are given, and nothing is kept on this machine. */
  dataDirectory: DataDirectory | null
  postgres: Postgres
  warehouse: Warehouse
  objects: Objects
  secrets: SecretBox
  /** Root of the File destination; null when ClickHouse runs elsewhere and cannot write here. */
  exportsFolder: string | null
  /** Closes everything in reverse order; goes on when a part fails, and then throws what failed. */
  stop(): Promise<void>
}

/**
 * Opens the engines that the configuration names, all at once.
 * @throws StartupError when one cannot be opened; those already open are closed.
 */
export async function openEngines(config: Config): Promise<Engines> {
  const closers: (() => Promise<void>)[] = []
  const stop = () => closeAll(closers)
  try {
    const dataDirectory = await openDirectory(config)
    if (dataDirectory) closers.push(() => dataDirectory.release())
    const [postgres, warehouse, objects, secrets, exportsFolder] = await allOpened([
      openPostgres(config, dataDirectory).then((postgres) =>
        opened(postgres, closers, () => postgres.stop()),
      ),
      openWarehouse(config, dataDirectory).then((warehouse) =>
        opened(warehouse, closers, () => warehouse.close()),
      ),
      openObjects(config, dataDirectory),
      openSecretBox(config, dataDirectory),
      openExportsFolder(config, dataDirectory),
    ])
    return { dataDirectory, postgres, warehouse, objects, secrets, exportsFolder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openDirectory(config: Config): Promise<DataDirectory | null> {
  const isAllElsewhere = Boolean(config.databaseUrl && config.clickhouseUrl && config.objectsUrl)
  if (isAllElsewhere && config.secretKey) return null
  // With every engine elsewhere it holds the secret key alone, and any number of processes may read that.
  return await openDataDirectory(config.dataDirectory, { shared: isAllElsewhere })
}

async function openExportsFolder(
  config: Config,
  dataDirectory: DataDirectory | null,
): Promise<string | null> {
  if (config.clickhouseUrl || !dataDirectory) return null
  const folder = join(dataDirectory.path, 'exports')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

function opened<T>(part: T, closers: (() => Promise<void>)[], close: () => Promise<void>): T {
  closers.push(close)
  return part
}

/** Like Promise.all, but rejects only when all are settled, so that what was opened meanwhile is known to its closer. */
async function allOpened<T extends readonly Promise<unknown>[]>(parts: readonly [...T]) {
  await Promise.allSettled(parts)
  return await Promise.all(parts)
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).toReversed()) {
    await close().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.')
}
