import { chown, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { azuriteUnavailable, connectionString, container, startAzurite } from '../testing/servers/azurite.ts'
import { sftpUnavailable, startSftpServer } from '../testing/servers/sftp-server.ts'
import { mountSmallDisk } from '../testing/servers/small-disk.ts'
import { limitUnavailable } from '../testing/servers/test-program.ts'
import type { TableServer } from '../testing/servers/table-server.ts'
import { tableServers } from '../testing/servers/table-servers.ts'
import { startTestClickhouse } from '../testing/servers/test-clickhouse.ts'
import { mysqlUnavailable, startTestMysql } from '../testing/servers/test-mysql.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import {
  closeTestExports,
  createS3Export,
  failure,
  jobs,
  list,
  openTestExports,
  read,
  start,
  uuid,
  verified,
  written,
} from '../testing/test-exports.ts'

/** Rows (7 MB) that databases cannot compress; MariaDB crashes if there is no room for parts of a row. */
const large = Array.from({ length: 1700 }, (_, index) => ({
  uuid: uuid(index),
  event: 'large',
  timestamp: start + index,
  properties: JSON.stringify({ text: randomText() }),
}))

/** Of PostgreSQL, ClickHouse and the S3 server; null if it cannot be mounted. */
const disk = await mountSmallDisk(40).catch((error: Error) => {
  console.error(`The full PostgreSQL, ClickHouse and S3 server are skipped: ${error.message}.`)
  return null
})

beforeAll(async () => {
  await openTestExports(disk?.folder)
  await jobs.insertEvents([...large, { uuid: uuid(9999), event: 'small', timestamp: start + 9999 }])
})
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(async () => {
  await closeTestExports()
  await disk?.unmount()
})

function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(3000))).toString('base64')
}

/** The export, reduced to its small event. */
const reduced = (row: BatchExportRow): BatchExportRow => ({
  ...row,
  destination_config: { ...row.destination_config, include_events: ['small'] },
})

const full =
  'a database whose disk is full keeps the earlier rows of a window, until there is room for the new ones:'

/** Exports to a table of a server after each step that fills its disk, then again when it has room. */
async function expectFull(
  server: TableServer,
  fills: readonly (() => unknown)[],
  free: () => unknown,
): Promise<void> {
  const row = await jobs.createExport(server.destination(jobs.services, { table_name: 'full' }))
  const before = await written(reduced(row))
  for (const fill of fills) {
    await fill()
    expect(await failure(row)).toEqual({
      permanent: false,
      message: expect.stringMatching(/^The disk of the database is full: free some space there\./),
    })
    expect(await server.counts('full')).toEqual({ small: 1 })
    expect(await server.leftovers()).toEqual([])
    expect(await verified(reduced(row), before)).toMatchObject({ equal: true, rows_read: 1 })
  }
  await free()
  const window = await written(row)
  expect(await server.counts('full')).toEqual({ small: 1, large: large.length })
  expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: large.length + 1 })
}

/** A store of files with an export to its folder `full`. */
type FileStore = {
  row: BatchExportRow
  /** Returns the keys of the files in that folder. */
  list(): Promise<string[]>
  read(key: string): Promise<Buffer>
  fill(): unknown
  free(): unknown
  message: string
}

/** Exports a file to a store after it is full, then again when it has room. */
async function expectFullStore({ row, list, read, fill, free, message }: FileStore): Promise<void> {
  const lines = async () => {
    const contents = (await list()).map(async (key) => [
      key,
      String(await read(key))
        .trimEnd()
        .split('\n').length,
    ])
    return Object.fromEntries(await Promise.all(contents))
  }
  const before = await written(reduced(row))
  const key = before.objects[0]?.key ?? ''
  expect(await lines()).toEqual({ [key]: 1 })
  await fill()
  expect(await failure(row)).toEqual({ permanent: false, message: expect.stringContaining(message) })
  expect(await lines()).toEqual({ [key]: 1 })
  expect(await verified(reduced(row), before)).toMatchObject({ equal: true, rows_read: 1 })
  await free()
  const window = await written(row)
  expect(await lines()).toEqual({ [key]: large.length + 1 })
  expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: large.length + 1 })
}

const mysqlSkipped = mysqlUnavailable ?? limitUnavailable
if (mysqlSkipped !== null) console.error(`The full MariaDB is skipped: ${mysqlSkipped}.`)
test.skipIf(mysqlSkipped !== null)(`${full} MariaDB`, { tags: ['slow'] }, async () => {
  // Its own files are smaller than the limit.
  const server = await startTestMysql([
    '--innodb-log-file-size=4M',
    '--innodb-data-file-path=ibdata1:5M:autoextend',
    '--innodb-autoextend-increment=1',
  ])
  onTestFinished(() => server.close())
  await expectFull(server, [() => server.limitFiles(7_000_000)], () => server.limitFiles('unlimited'))
})

test(`${full} PostgreSQL`, async ({ skip }) => {
  if (!disk) return skip()
  const server = await tableServers.find(({ name }) => name === 'PostgreSQL')?.start(jobs.pool)
  if (!server) throw new Error('there is no PostgreSQL')
  await useDisk(server, disk.folder)
  await expectFull(server, [() => disk.fill(0)], disk.free)
})

test(`${full} ClickHouse`, async ({ skip }) => {
  if (!disk) return skip()
  const server = await startTestClickhouse(disk.folder)
  onTestFinished(() => server.close())
  // At first, there is room for a table, but not for its rows.
  await expectFull(server, [() => disk.fill(3_000_000), () => disk.fill(0)], disk.free)
})

/** Lets new tables of a database have their rows on another disk until the end of the test. */
async function useDisk({ query, quote, config, close }: TableServer, disk: string): Promise<void> {
  const [found] = (await jobs.pool.query<{ data_directory: string }>('SHOW data_directory')).rows
  const { uid, gid } = await stat(found?.data_directory ?? '')
  const place = join(disk, 'tables')
  await mkdir(place)
  await chown(place, uid, gid)
  await jobs.pool.query(`CREATE TABLESPACE small LOCATION '${place}'`)
  onTestFinished(async () => {
    await query('DROP SCHEMA public CASCADE')
    await close()
    await jobs.pool.query('DROP TABLESPACE small')
  })
  const database = quote(config.database)
  await jobs.pool.query(`GRANT CREATE ON TABLESPACE small TO ${database}`)
  await jobs.pool.query(`ALTER DATABASE ${database} SET default_tablespace = small`)
  await query('SET default_tablespace = small')
}

/** Of stores that respond with an internal error. */
const unavailable = 'is not available at the moment: check that it works and has free space.'
const fullStore = 'that is full keeps the earlier file of a window, until there is room for the new one'

const sftpSkipped = sftpUnavailable ?? limitUnavailable
if (sftpSkipped !== null) console.error(`The full SFTP server is skipped: ${sftpSkipped}.`)
test.skipIf(sftpSkipped !== null)(`an SFTP server ${fullStore}`, { tags: ['slow'] }, async () => {
  const server = await startSftpServer()
  onTestFinished(() => server.stop())
  await expectFullStore({
    row: await jobs.createExport({
      destination_type: 'SFTP',
      destination_config: { path: 'full' },
      destination_secrets: jobs.services.secrets.seal(
        JSON.stringify({ ...server.config, private_key: server.privateKey }),
      ),
    }),
    list: async () => (await readdir(join(server.files, 'full'))).map((name) => `full/${name}`),
    read: (key) => readFile(join(server.files, key)),
    fill: () => server.limitFiles(1_000_000),
    free: () => server.limitFiles('unlimited'),
    message: 'could not complete the write, most often because its disk or the quota of the user is full',
  })
})

const azureSkipped = azuriteUnavailable ?? limitUnavailable
if (azureSkipped !== null) console.error(`The full Azurite is skipped: ${azureSkipped}.`)
test.skipIf(azureSkipped !== null)(`a storage account ${fullStore}`, { tags: ['slow'] }, async () => {
  const azurite = await startAzurite({ onDisk: true })
  onTestFinished(() => azurite.stop())
  await expectFullStore({
    row: await jobs.createExport({
      destination_type: 'AzureBlob',
      destination_config: { container_name: container, prefix: 'full' },
      destination_secrets: jobs.services.secrets.seal(
        JSON.stringify({ connection_string: connectionString(azurite.origin) }),
      ),
    }),
    list: () => azurite.list('full'),
    read: azurite.read,
    fill: () => azurite.limitFiles(1_000_000),
    free: () => azurite.limitFiles('unlimited'),
    message: unavailable,
  })
})

test(`a bucket ${fullStore}`, async ({ skip }) => {
  if (!disk) return skip()
  await expectFullStore({
    row: await createS3Export({ prefix: 'full' }),
    list: () => list('S3', 'full'),
    read: (key) => read('S3', key),
    fill: () => disk.fill(1_000_000),
    free: disk.free,
    message: unavailable,
  })
})
