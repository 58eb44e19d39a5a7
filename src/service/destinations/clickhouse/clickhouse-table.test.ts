import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createServer } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listenOnLoopback } from '../../engines/loopback.ts'
import { certificateUnavailable, testCertificate } from '../../testing/servers/test-certificate.ts'
import { startTestClickhouse } from '../../testing/servers/test-clickhouse.ts'
import type { TableServer } from '../../testing/servers/table-server.ts'
import {
  closeTestExports,
  events,
  failure,
  insertOnce,
  jobs,
  openTestExports,
  run,
  uuid,
  verified,
  written,
} from '../../testing/test-exports.ts'
import { tryDestination } from '../try-destination.ts'
import { clickhouseDriver } from './clickhouse-driver.ts'

let server: TableServer
beforeAll(async () => {
  await openTestExports()
  await insertOnce()
  server = await startTestClickhouse()
})
afterAll(async () => {
  await server.close()
  await closeTestExports()
})

const createExport = (config: Record<string, unknown>) =>
  jobs.createExport({
    ...server.destination(jobs.services, config),
    hogql_query: 'SELECT uuid, event, timestamp, distinct_id FROM events',
  })

test('fills a table with partitions, keys and another time zone, and replaces its windows', async () => {
  await server.query(`CREATE TABLE parted (uuid UUID, event LowCardinality(String), distinct_id Nullable(String),
    timestamp DateTime64(6, 'Europe/Berlin'), note String DEFAULT 'none', _spool_window LowCardinality(String),
    INDEX events event TYPE set(10)) ENGINE = ReplacingMergeTree(timestamp) PARTITION BY (toYYYYMM(timestamp), cityHash64(event) % 2)
    PRIMARY KEY cityHash64(uuid) ORDER BY (cityHash64(uuid), event) SAMPLE BY cityHash64(uuid)
    TTL toDateTime(timestamp) + INTERVAL 900 MONTH SETTINGS index_granularity = 1024`)
  const row = await createExport({ table_name: 'parted' })
  await run(row)
  const window = await written(row)
  expect(await server.counts('parted')).toEqual(Object.fromEntries(events.map(({ event }) => [event, 1])))
  expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: events.length })
  const times = await server.query(
    'SELECT toUnixTimestamp64Milli(timestamp) AS at, note FROM parted ORDER BY uuid',
  )
  expect(times).toEqual(events.map(({ timestamp }) => ({ at: timestamp, note: 'none' })))
})

test('refuses a table to which parts cannot be attached', async () => {
  await server.query('CREATE TABLE logged (uuid UUID, _spool_window String) ENGINE = Log')
  expect(await failure(await createExport({ table_name: 'logged' }))).toEqual({
    permanent: true,
    message: expect.stringMatching(/has the engine Log, not MergeTree/),
  })
})

test.skipIf(certificateUnavailable !== null)(
  'a certificate of its own is accepted unless it is checked',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spool-certificates-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { key, cert } = await testCertificate(folder, 'database.test')
    const options = { key: await readFile(key), cert: await readFile(cert) }
    const secure = createServer(options, (socket) => {
      const plain = connect(server.config.port, '127.0.0.1')
      pipeline(socket, plain, socket, () => undefined)
    })
    secure.on('tlsClientError', () => undefined)
    const port = await listenOnLoopback(secure)
    onTestFinished(() => void secure.close())
    for (const verify of [true, false]) {
      const row = await jobs.createExport(server.destination(jobs.services, {}, { port, verify }))
      const { steps } = await tryDestination(jobs.services, row)
      expect(steps.find(({ name }) => name === 'TLS')).toMatchObject(
        verify
          ? { status: 'failed', detail: expect.stringContaining('No secure connection') }
          : { status: 'ok', detail: 'The connection is encrypted.' },
      )
      expect(steps.at(-1)?.status).toBe(verify ? 'skipped' : 'ok')
    }
  },
)

test('of two attempts at a window, only the later one can show its rows', async () => {
  const config = { ...server.config, table_name: 'raced', password: server.password }
  const destination = clickhouseDriver.open(config)
  if (destination.holds !== 'table') throw new Error('no table')
  onTestFinished(await jobs.services.hosts.pin(destination.url() ?? '', 'loopback'))
  const { signal } = new AbortController()
  const window = { exportId: uuid(1), key: `${uuid(1)}:2026-03-10T12:00:00.000Z`, runId: uuid(2) }
  const columns = [{ name: 'event', type: 'String', isNullable: false, isJson: false }]
  const attempt = async (event: string) => {
    const store = await destination.openTable(jobs.services, signal)
    const rows = async function* () {
      yield Buffer.from(`${event}\t${window.key}\n`)
    }
    expect(await store.load(window, await store.plan(columns, null), (write) => write(rows()), null)).toBe(1)
    return store
  }
  const [first, second] = [await attempt('first'), await attempt('second')]
  const delivery = { rows: 1, hash: '' }
  await expect(first.commit(window, delivery)).rejects.toThrow('A later attempt of this window has begun')
  await first.close()
  await second.commit(window, delivery)
  await second.close()
  expect(await server.counts('raced')).toEqual({ second: 1 })
  expect(await server.leftovers()).toEqual([])
})
