import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { pinEndpoint } from '../../destinations/destination-check.ts'
import { openDestination } from '../../destinations/destination-drivers.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import type { ExportError } from '../../problems/export-error.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { forgetArrivals } from '../../testing/test-clock.ts'
import { testNames } from '../../testing/test-engines.ts'
import { startCutProxy, type Fault } from '../../testing/servers/cut-proxy.ts'
import type { TableServer } from '../../testing/servers/table-server.ts'
import { tableServers } from '../../testing/servers/table-servers.ts'
import { startRebinding } from '../../testing/servers/test-rebinding.ts'
import {
  closeTestExports,
  failure,
  hour,
  jobs,
  openTestExports,
  run,
  runRow,
  start,
  uuid,
  verified,
  written,
} from '../../testing/test-exports.ts'
import { explainFailure } from '../explain-failure.ts'
import { exportRun } from '../export-run.ts'

/** The last event, whose text marks the place at which rows are cut. */
const names = ['one', 'two', 'three', 'cut here']
const once = Object.fromEntries(names.map((name) => [name, 1]))
const kept = { one: 1, 'cut here': 1 }
/** Start of an hour with a million events. */
const many = start - 10 * hour
let inserted: Promise<void> | null = null

function insertMany(): Promise<void> {
  const at = `toDateTime64(${many / 1000}, 6)`
  return jobs.services.warehouse.command(
    `INSERT INTO events (team_id, uuid, event, distinct_id, properties, timestamp, created_at, inserted_at)
     SELECT ${jobs.projectId}, generateUUIDv4(), if(number = 500000, 'cut here', 'many'), toString(number),
       '{"a":[1,2.50,"x"]}', ${at}, ${at}, ${at} FROM numbers(1000000)`,
  )
}

beforeAll(async () => {
  await openTestExports()
  const events = names.map((event, index) => ({ event, uuid: uuid(index), timestamp: start + index }))
  await jobs.insertEvents(events)
})
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

describe.for(tableServers)('$name', ({ name, start: startServer }) => {
  // What they test is the same for all types: `npm test` runs them with one.
  const ofAll = { tags: name === 'PostgreSQL' ? [] : ['slow'] }
  let server: TableServer
  let proxy: Awaited<ReturnType<typeof startCutProxy>>
  beforeAll(async () => {
    server = await startServer(jobs.pool)
    proxy = await startCutProxy(server.config.port)
  })
  afterAll(async () => {
    proxy?.close()
    await server?.close()
  })
  const createExport = (
    config: Record<string, unknown>,
    connection: Record<string, unknown> = {},
    change: Partial<BatchExportRow> = {},
  ) =>
    jobs.createExport({
      ...server.destination(jobs.services, config, connection),
      hogql_query: 'SELECT uuid, event FROM events',
      ...change,
    })
  /** The export, reduced to some of its events. */
  const reduced = (row: BatchExportRow): BatchExportRow => ({
    ...row,
    destination_config: { ...row.destination_config, include_events: Object.keys(kept) },
  })

  const cuts: [string, () => Fault, Record<string, number>][] = [
    ['while rows are sent', () => ({ at: 'before', text: 'cut here' }), once],
    ['before rows become visible', () => ({ at: 'before', ...server.commit }), once],
    ['after rows became visible', () => ({ at: 'after', ...server.commit }), kept],
  ]
  test.for(cuts)('a window stays whole when its connection is cut %s', async ([place, fault, expected]) => {
    const table = `cut ${place}`
    const row = await createExport({ table_name: table }, { port: proxy.port })
    await run(row)
    proxy.break(fault())
    const { permanent, message } = await failure(reduced(row))
    expect([proxy.faults(), permanent, message]).toEqual([1, false, expect.stringContaining('was lost')])
    if (server.isTransactional) expect(await server.counts(table)).toEqual(expected)
    proxy.break(null)
    const window = await written(reduced(row))
    expect(await server.counts(table)).toEqual(kept)
    expect(await verified(reduced(row), window)).toMatchObject({ equal: true, rows_read: 2 })
    expect(await server.leftovers()).toEqual([])
  })

  test('a verification fails when its connection is cut', ofAll, async () => {
    const row = await createExport({ table_name: 'cut while read' }, { port: proxy.port })
    const window = await written(row)
    proxy.break({ at: 'before', text: '_spool_window' })
    const { problem } = await verified(row, window)
    expect([proxy.faults(), problem]).toEqual([1, expect.stringContaining('was lost')])
    proxy.break(null)
    expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: names.length })
  })

  test('a query that fails before its first rows is explained', ofAll, async () => {
    const large = "toDecimal(concat('99999999', toString(length(event))), 9)"
    const query = `SELECT uuid, event, multiply(${large}, ${large}) AS number FROM events`
    const row = await createExport({ table_name: 'not computed' }, {}, { hogql_query: query })
    const { permanent, message } = await failure(row)
    expect([permanent, message]).toEqual([true, expect.stringContaining('query cannot be computed')])
    expect(await server.leftovers()).toEqual([])
  })

  test('rows that fail before the first of them fail the load only', ofAll, async () => {
    const row = await createExport({ table_name: 'no rows' })
    const destination = await openDestination(jobs.services, row)
    if (destination.holds !== 'table') throw new Error('the destination has no table')
    const release = await pinEndpoint(jobs.services, destination.url())
    const table = await destination.openTable(jobs.services, new AbortController().signal)
    const window = { exportId: row.id, key: 'no rows', runId: uuid(0) }
    const columns = [{ name: 'event', type: 'String', isNullable: false, isJson: false }]
    const loading = table.load(
      window,
      await table.plan(columns, null),
      () => Promise.reject(new Error('no engine')),
      null,
    )
    await expect(loading).rejects.toThrow('no engine')
    await table.close()
    release()
    expect(await server.leftovers()).toEqual([])
  })

  test('a server that hangs ends its own run, and no other', ofAll, async () => {
    const row = await createExport({ table_name: 'hung' }, { port: proxy.port })
    proxy.break({ at: 'hang', text: 'cut here' })
    const stop = new AbortController()
    const stalls: ExportError[] = []
    const onStall = (error: ExportError) => {
      stalls.push(error)
      stop.abort(error)
    }
    const attempt = { onProgress: () => undefined, signal: stop.signal, onStall }
    const hung = exportRun(jobs.services, row, runRow(row), attempt).catch((error: unknown) => error)
    await expect.poll(() => proxy.faults(), { timeout: 20_000 }).toBe(1)
    await run(await createExport({ table_name: 'not hung' }))
    expect(await server.counts('not hung')).toEqual(once)
    expect(stalls).toEqual([])
    await expect
      .poll(() => (jobs.clock.time += 5000) && stalls.length, { interval: 300, timeout: 30_000 })
      .toBe(1)
    await hung
    expect(stalls[0]?.message).toContain(`Nothing was read, written or sent to 127.0.0.1:${proxy.port}`)
    proxy.break(null)
    await run(row)
    expect(await server.counts('hung')).toEqual(once)
  })

  test('refused credentials and privileges are explained without the password', async () => {
    const failures: [Record<string, unknown>, string, string][] = [
      [{ password: 'planted secret' }, 'does not accept the user and password', 'Credentials'],
      [
        { user: 'nobody "at all"', password: 'planted secret' },
        'does not accept the user and',
        'Credentials',
      ],
      [{ user: server.reader }, 'denied', 'Write'],
      [{ port: 1 }, 'refused the connection', 'Reach'],
    ]
    for (const [connection, problem, step] of failures) {
      const row = await createExport({ table_name: 'refused' }, connection)
      const { permanent, message } = await failure(row)
      expect({ permanent, message }).toEqual({
        permanent: connection['port'] !== 1,
        message: expect.stringContaining(problem),
      })
      const { steps } = await tryDestination(jobs.services, row)
      const shown = JSON.stringify([message, steps])
      expect(steps.find(({ status }) => status === 'failed')?.name, shown).toBe(step)
      for (const secret of ['planted secret', server.password]) expect(shown).not.toContain(secret)
    }
  })

  test('connects only to the address that was checked', async () => {
    const { host, lookups, stray, stop } = await startRebinding(server.config.port)
    onTestFinished(() => stop())
    const [hostName = ''] = host.split(':')
    const row = await createExport({ table_name: 'rebound' }, { host: hostName })
    const window = await written(row)
    expect([lookups(), stray()]).toEqual([1, 0])
    // Each later use looks the name up again, finds another address, and connects only to that one.
    await verified(row, window)
    const { steps } = await tryDestination(jobs.services, row)
    expect(steps.find(({ status }) => status === 'failed')?.name).not.toBe('Address')
    expect(lookups()).toBe(3)
  })

  test('never connects to an address in a private network', async () => {
    testNames.set('inner.test', () => '10.0.0.1')
    onTestFinished(() => void testNames.delete('inner.test'))
    const row = await createExport({ table_name: 'inner' }, { host: 'inner.test' })
    const error: unknown = await run(row).catch((cause: unknown) => cause)
    expect(await explainFailure(jobs.services, row, error)).toEqual({
      permanent: true,
      message: expect.stringContaining('inner.test is not on the public internet'),
    })
    const { steps } = await tryDestination(jobs.services, row)
    expect(steps[0]).toMatchObject({ name: 'Address', status: 'failed' })
  })

  test(
    'a million rows are there once, also after a cut in their middle',
    { tags: ['slow'], timeout: 600_000 },
    async () => {
      await (inserted ??= insertMany())
      const row = await createExport({ table_name: 'many' }, { port: proxy.port }, { hogql_query: null })
      const interval = { data_interval_start: new Date(many), data_interval_end: new Date(many + hour) }
      proxy.break({ at: 'before', text: 'cut here' })
      await expect(run(row, interval)).rejects.toThrow()
      proxy.break(null)
      await run(row, interval)
      const window = await written(row, interval)
      expect(await server.counts('many')).toEqual({ many: 999_999, 'cut here': 1 })
      expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: 1_000_000 })
    },
  )
})
