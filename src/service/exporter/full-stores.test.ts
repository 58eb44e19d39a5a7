import { chown, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { sftpUnavailable, startSftpServer } from '../testing/servers/sftp-server.ts'
import { mountSmallDisk } from '../testing/servers/small-disk.ts'
import { limitUnavailable } from '../testing/servers/test-program.ts'
import type { TableServer } from '../testing/servers/table-server.ts'
import { tableServers } from '../testing/servers/table-servers.ts'
import { mysqlUnavailable, startTestMysql } from '../testing/servers/test-mysql.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import {
  closeTestExports,
  failure,
  jobs,
  openTestExports,
  run,
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

beforeAll(async () => {
  await openTestExports()
  await jobs.insertEvents([...large, { uuid: uuid(9999), event: 'small', timestamp: start + 9999 }])
})
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

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

/** Exports to a table of a server after its disk is full, then again when it has room. */
async function expectFull(server: TableServer, fill: () => unknown, free: () => unknown): Promise<void> {
  const row = await jobs.createExport(server.destination(jobs.services, { table_name: 'full' }))
  const before = await written(reduced(row))
  await fill()
  expect(await failure(row)).toEqual({
    permanent: false,
    message: expect.stringMatching(/^The disk of the database is full: free some space there\./),
  })
  expect(await server.counts('full')).toEqual({ small: 1 })
  expect(await server.leftovers()).toEqual([])
  expect(await verified(reduced(row), before)).toMatchObject({ equal: true, rows_read: 1 })
  await free()
  const window = await written(row)
  expect(await server.counts('full')).toEqual({ small: 1, large: large.length })
  expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: large.length + 1 })
}

const mysqlSkipped = mysqlUnavailable ?? limitUnavailable
if (mysqlSkipped !== null) console.error(`The full MariaDB is skipped: ${mysqlSkipped}.`)
test.skipIf(mysqlSkipped !== null)(`${full} MariaDB`, async () => {
  // Its own files are smaller than the limit.
  const server = await startTestMysql([
    '--innodb-log-file-size=4M',
    '--innodb-data-file-path=ibdata1:5M:autoextend',
    '--innodb-autoextend-increment=1',
  ])
  onTestFinished(() => server.close())
  await expectFull(
    server,
    () => server.limitFiles(7_000_000),
    () => server.limitFiles('unlimited'),
  )
})

test(`${full} PostgreSQL`, async ({ skip }) => {
  const disk = await mountSmallDisk(12).catch((error: Error) => error)
  if (disk instanceof Error) {
    console.error(`The full PostgreSQL is skipped: ${disk.message}.`)
    return skip()
  }
  onTestFinished(disk.unmount)
  const server = await tableServers.find(({ name }) => name === 'PostgreSQL')?.start(jobs.pool)
  if (!server) throw new Error('there is no PostgreSQL')
  await useDisk(server, disk.folder)
  const fill = async () => {
    await server.query('CREATE TABLE filler (body text)')
    await server.query('ALTER TABLE filler ALTER body SET STORAGE EXTERNAL')
    for (;;) await server.query("INSERT INTO filler VALUES (repeat('x', 1000000))")
  }
  const fillAll = () => expect(fill()).rejects.toMatchObject({ code: '53100' })
  await expectFull(server, fillAll, () => server.query('DROP TABLE filler'))
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

const sftpSkipped = sftpUnavailable ?? limitUnavailable
if (sftpSkipped !== null) console.error(`The full SFTP server is skipped: ${sftpSkipped}.`)
test.skipIf(sftpSkipped !== null)(
  'a full SFTP server keeps the earlier file of a window, until there is room for the new one',
  async () => {
    const server = await startSftpServer()
    onTestFinished(() => server.stop())
    const row = await jobs.createExport({
      destination_type: 'SFTP',
      destination_config: { path: 'full' },
      destination_secrets: jobs.services.secrets.seal(
        JSON.stringify({ ...server.config, private_key: server.privateKey }),
      ),
    })
    const linesOf = async () => {
      const names = await readdir(join(server.files, 'full'))
      const contents = names.map(async (name) => [
        name,
        (await readFile(join(server.files, 'full', name), 'utf8')).trimEnd().split('\n').length,
      ])
      return Object.fromEntries(await Promise.all(contents))
    }
    const {
      objects: [object],
    } = await run(reduced(row))
    const file = object?.key.split('/').at(-1) ?? ''
    expect(await linesOf()).toEqual({ [file]: 1 })
    server.limitFiles(1_000_000)
    expect(await failure(row)).toEqual({
      permanent: false,
      message: expect.stringContaining(
        'could not complete the write, most often because its disk or the quota of the user is full',
      ),
    })
    expect(await linesOf()).toEqual({ [file]: 1 })
    server.limitFiles('unlimited')
    const window = await written(row)
    expect(await linesOf()).toEqual({ [file]: large.length + 1 })
    expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: large.length + 1 })
  },
)
