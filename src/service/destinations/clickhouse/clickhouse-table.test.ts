import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createServer } from 'node:tls'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { listenOnLoopback } from '../../engines/loopback.ts'
import { verifyWindow } from '../../exporter/verify/verify-window.ts'
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
import { clickhouseUrl, connectClickhouse, type ClickhouseHttp } from './clickhouse-http.ts'
import { openClickhouseTable } from './clickhouse-table.ts'

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

const { signal } = new AbortController()
const window = { exportId: uuid(1), key: `${uuid(1)}:2026-03-10T12:00:00.000Z`, runId: uuid(2) }

/** Loads a row with the event into a table; `before` is called before each statement that changes something. */
async function attempt(table: string, event: string, before = async (_sql: string) => {}) {
  const address = { ...server.config, password: server.password, verify: true }
  onTestFinished(await jobs.services.hosts.pin(clickhouseUrl(address), 'loopback'))
  const http = await connectClickhouse(jobs.services, address, signal)
  const command: ClickhouseHttp['command'] = async (sql, params) => {
    await before(sql)
    await http.command(sql, params)
  }
  const store = openClickhouseTable({ ...http, command }, address.database, table)
  const rows = async function* () {
    yield Buffer.from(`${event}\t${window.key}\n`)
  }
  const plan = await store.plan([{ name: 'event', type: 'String', isNullable: false, isJson: false }], null)
  expect(await store.load(window, plan, (write) => write(rows()), null)).toBe(1)
  return {
    close: () => store.close(),
    commit: (ending = signal) => store.commit(window, { rows: 1, hash: event }, ending),
  }
}

test('of two attempts at a window, only the later one can show its rows', async () => {
  const [first, second] = [await attempt('raced', 'first'), await attempt('raced', 'second')]
  await expect(first.commit()).rejects.toThrow('A later attempt of this window has begun')
  await first.close()
  await second.commit()
  await second.close()
  expect(await server.counts('raced')).toEqual({ second: 1 })
  expect(await server.leftovers()).toEqual([])
})

test.for(['ALTER TABLE .* DELETE', 'ATTACH PARTITION', 'INSERT INTO'])(
  'an attempt that was frozen before its %s changes nothing after a later attempt',
  async (statement) => {
    const table = `frozen ${statement.length}`
    const earlier = await attempt(table, 'earlier')
    await earlier.commit()
    await earlier.close()
    const later = async () => {
      const store = await attempt(table, 'later')
      await store.commit()
      await store.close()
    }
    const frozen = await attempt(table, 'frozen', async (sql) => {
      if (new RegExp(statement).test(sql)) await later()
    })
    const isLast = statement === 'INSERT INTO'
    await (isLast
      ? frozen.commit()
      : expect(frozen.commit()).rejects.toMatchObject({ code: 'REMOTE_UNKNOWN_TABLE' }))
    await frozen.close()
    expect(await server.counts(table)).toEqual({ later: 1 })
    const deliveries = `SELECT hash FROM _spool_deliveries FINAL WHERE window_key = '${window.key}'`
    expect(await server.query(deliveries)).toEqual([{ hash: 'later' }])
    expect(await server.leftovers()).toEqual([])
  },
)

test('an attempt that has lost its run begins no further statement', async () => {
  const earlier = await attempt('lost', 'earlier')
  await earlier.commit()
  await earlier.close()
  const lost = new AbortController()
  const store = await attempt('lost', 'second', async (sql) => {
    if (/ALTER TABLE .* DELETE/.test(sql)) lost.abort(new Error('the run is lost'))
  })
  await expect(store.commit(lost.signal)).rejects.toThrow('the run is lost')
  await store.close()
  expect(await server.counts('lost')).toEqual({})
})

test('reading a window back stops when the server sends far more rows than it has received', async () => {
  let sent = 0
  const endless = async function* () {
    const rows = Buffer.from(`${'row\t'.repeat(3)}row\n`.repeat(65_536))
    for (;;) {
      sent += rows.length
      yield rows
    }
  }
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    if (body.includes('FORMAT TabSeparated')) return void pipeline(endless(), response, () => undefined)
    const { 'x-clickhouse-user': user, 'x-clickhouse-key': key } = request.headers
    const answer = await fetch(`http://127.0.0.1:${server.config.port}${request.url}`, {
      method: 'POST',
      headers: { 'x-clickhouse-user': String(user), 'x-clickhouse-key': String(key) },
      body,
    })
    response.writeHead(answer.status).end(await answer.bytes())
  }
  const proxy = createHttpServer((request, response) => void forward(request, response))
  const port = await listenOnLoopback(proxy)
  onTestFinished(() => void proxy.close())
  const row = await jobs.createExport({
    ...server.destination(jobs.services, { table_name: 'endless' }, { port }),
    hogql_query: 'SELECT uuid, event, timestamp, distinct_id FROM events',
  })
  const recorded = await written(row)
  expect(await verifyWindow(jobs.services, row, recorded)).toMatchObject({
    rows_read: null,
    problem: expect.stringMatching(
      /^The destination sent more than the expected 6\d MB, so reading was stopped/,
    ),
  })
  expect(sent).toBeLessThan(100_000_000)
  expect(await readdir(join(inject('testFolder'), `process-${process.pid}`, 'received'))).toEqual([])
})
