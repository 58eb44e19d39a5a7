import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { forgetArrivals } from '../../testing/test-clock.ts'
import type { TableServer } from '../../testing/servers/table-server.ts'
import { tableServers } from '../../testing/servers/table-servers.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import {
  closeTestExports,
  failure,
  hour,
  jobs,
  openTestExports,
  run,
  start,
  time,
  uuid,
  verified,
  written,
} from '../../testing/test-exports.ts'

/** Texts that the engine and the databases escape, quote, limit or refuse. */
const texts = [
  'plain',
  'NULL',
  '\\N',
  '',
  ' ',
  'ends with a space ',
  '"',
  '"quoted","fields"',
  "it's; --",
  '\\',
  '\\"',
  'a\tb\nc\r\nd\be\ff\vg',
  'nul \0 inside',
  'grüße 🐘 \u2028',
  '\\.',
  '\\f\\0\\x41',
  'a,b',
  "\\'",
]
const properties = [
  '{"a":1,"nested":{"b":[true,null]}}',
  '{"n":9007199254740993,"m":18446744073709551615,"o":-9223372036854775808}',
  '{"f":"0.5","big":"9007199254740993"}',
  '{"s":"\\u0000 \\ud800 \\\\u0000 \\ud83d\\udc18 \\n\\t\\""}',
  '{"e":1e300,"d":0.1}',
  'no "json"\n',
  'no json with nul \0',
  '{"a":',
  '',
  'null',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  '{"k":"\\"","k2":"a\\\\","ü":"🐘"}',
]
const events = texts.map((event, index) => ({
  event,
  properties: properties[index % properties.length] ?? '',
  uuid: uuid(index),
  person_id: uuid(index),
  distinct_id: `id '${index}'`,
  timestamp: start + index * 1234,
}))
/** The second of `properties`, as a database would store it that rounds numbers. */
const rounded = '{"n":9007199254740992,"m":18446744073709551615,"o":-9223372036854775808}'
const once = Object.fromEntries(texts.map((text) => [text.replace('\0', ''), 1]))

/** Columns without JSON, which are compared in less time. */
const few = { hogql_query: 'SELECT uuid, event, distinct_id FROM events' }

beforeAll(async () => {
  await openTestExports()
  await jobs.insertEvents(events)
})
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

describe.for(tableServers)('$name', ({ name, start: startServer }) => {
  // What they test is the same for all types: `npm test` runs them with one.
  const ofAll = { tags: name === 'PostgreSQL' ? [] : ['slow'] }
  let server: TableServer
  beforeAll(async () => {
    server = await startServer(jobs.pool)
  })
  afterAll(() => server?.close())
  const createExport = (config: Record<string, unknown>, change: Partial<BatchExportRow> = {}) =>
    jobs.createExport({ ...server.destination(jobs.services, config), ...change })
  const count = async (table: string) =>
    Number((await server.query(`SELECT count(*) AS found FROM ${server.quote(table)}`))[0]?.['found'])

  test('writes every row once to a table that it creates, and a repeat replaces them', async () => {
    const table = 'first "é" `ü` \'x\' \\'
    const row = await createExport({ table_name: table })
    let window = await written(row)
    for (const _ of ['first', 'again']) {
      window = await written(row)
      expect(window).toMatchObject({ rows_written: events.length, objects: [] })
      expect(await server.counts(table)).toEqual(once)
    }
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'intact',
      problem: null,
      equal: true,
      rows_read: events.length,
    })
    const deliveries = await server.query(
      `SELECT * FROM _spool_deliveries ${server.newest} WHERE export_id = '${row.id}'`,
    )
    expect(deliveries.map(({ rows }) => Number(rows))).toEqual([events.length])
    const { notes } = await run(row)
    expect(notes).toEqual([expect.stringContaining('Removed null characters and lone surrogates from')])
  })

  test('a number that was rounded is found out', ofAll, async () => {
    const row = await createExport(
      { table_name: 'rounded' },
      { hogql_query: 'SELECT event, properties FROM events' },
    )
    const window = await written(row)
    await server.update(server.quote('rounded'), `properties = '${rounded}'`, `event = 'NULL'`)
    expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: events.length })
  })

  test('a changed value, a missing row, an added row and a missing table are found out', ofAll, async () => {
    const row = await createExport({ table_name: 'harmed' }, few)
    const window = await written(row)
    const harmed = server.quote('harmed')
    await server.update(harmed, `distinct_id = 'another'`, `event = 'plain'`)
    expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: events.length })
    await server.remove(harmed, `event = 'plain'`)
    expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: events.length - 1 })
    await run(row)
    await server.query(`INSERT INTO ${harmed} SELECT * FROM ${harmed} WHERE event = 'plain'`)
    expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: events.length + 1 })
    await server.query(`DROP TABLE ${harmed}`)
    expect(await verified(row, window)).toMatchObject({ objects_found: 'gone', rows_read: null })
  })

  test('a window without rows, and one that has none when it is repeated', ofAll, async () => {
    const row = await createExport({ table_name: 'emptied' }, few)
    await run(row)
    const none = { ...row, destination_config: { ...row.destination_config, include_events: ['nothing'] } }
    const window = await written(none)
    expect(await count('emptied')).toBe(0)
    expect(await verified(none, window)).toMatchObject({ objects_found: 'intact', equal: true, rows_read: 0 })
    await run(row)
    const later = {
      data_interval_start: new Date(start + hour),
      data_interval_end: new Date(start + 2 * hour),
    }
    await run(row, later)
    expect(await server.counts('emptied')).toEqual(once)
  })

  test('keeps large integers, and says which numbers a database does not have', async () => {
    const query =
      'SELECT uuid, 9007199254740991 + toInt(2) AS big, toFloat(properties.f) / 0 AS ratio, toFloat(properties.f) AS f, length(event) > 3 AS long, timestamp FROM events'
    const row = await createExport({ table_name: 'typed' }, { hogql_query: query })
    const window = await written(row)
    expect(await verified(row, window)).toMatchObject({
      equal: true,
      problem: null,
      rows_read: events.length,
    })
    const rows = await server.query(
      `SELECT cast(big AS char(20)) AS text FROM ${server.quote('typed')} WHERE f > 0`,
    )
    expect(rows.map(({ text }) => String(text).trim())).toEqual(rows.map(() => '9007199254740993'))
    expect(rows).not.toEqual([])
    const { notes } = await run(row)
    const lost = notes?.filter((note) => note.includes('NaN')) ?? []
    expect(lost).toEqual(server.type === 'MySQL' ? [expect.stringMatching(/: 2 in ratio\.$/)] : [])
  })

  test('fills the columns that an existing table has, and refuses other types', async () => {
    const { text, integer, end } = server.types
    const create = (table: string, fields: string) =>
      server.query(`CREATE TABLE ${server.quote(table)} (${fields}) ${end}`)
    await create('narrow', `event ${text}, note ${text}, _spool_window varchar(200)`)
    const narrow = await createExport({ table_name: 'narrow' })
    const window = await written(narrow)
    expect(await server.counts('narrow')).toEqual(once)
    expect((await run(narrow)).notes).toContainEqual(expect.stringMatching(/^Left out columns .*properties/))
    expect(await verified(narrow, window)).toMatchObject({ equal: true })

    await create('clashing', `event ${integer}, uuid varchar(200), _spool_window varchar(200)`)
    const clash = await failure(await createExport({ table_name: 'clashing' }))
    expect(clash).toEqual({ permanent: true, message: expect.stringContaining('The column "event"') })
    expect(await count('clashing')).toBe(0)

    await create('unlike', `other ${integer}, _spool_window varchar(200)`)
    const unlike = await failure(await createExport({ table_name: 'unlike' }))
    expect(unlike.message).toContain('none of the exported columns')
  })

  test('appends to a table without windows only with append_only', ofAll, async () => {
    const { text, end } = server.types
    await server.query(`CREATE TABLE appended (event ${text}, uuid varchar(36)) ${end}`)
    const refused = await failure(await createExport({ table_name: 'appended' }))
    expect(refused).toEqual({ permanent: true, message: expect.stringContaining('append_only') })
    const row = await createExport({ table_name: 'appended', append_only: true })
    await run(row)
    await run(row)
    const twice = Object.fromEntries(Object.keys(once).map((event) => [event, 2]))
    expect(await server.counts('appended')).toEqual(twice)
  })

  test('keeps the newest row of each person, whichever window is written last', async () => {
    const person = (distinct_id: string, person_version: number, at: number, id = 1) => ({
      team_id: jobs.projectId,
      distinct_id,
      person_id: uuid(id),
      person_version,
      person_distinct_id_version: id,
      is_deleted: 0,
      created_at: time(start - hour),
      properties: JSON.stringify({ version: person_version }),
      inserted_at: time(at),
    })
    const rows = [
      person('a', 1, start),
      person('b', 2, start),
      person('c', 5, start),
      person('c ', 1, start),
      person('two', 1, start),
      person('two', 1, start, 2),
      person('same', 1, start),
      person('a', 2, start + hour),
      person('C', 1, start + hour),
      person('same', 1, start + hour),
    ]
    await jobs.services.warehouse.insert('persons', rows.map((row) => JSON.stringify(row)).join('\n'))
    const row = await createExport({ table_name: 'people' }, { model: 'persons' })
    const later = {
      data_interval_start: new Date(start + hour),
      data_interval_end: new Date(start + 2 * hour),
    }
    const second = await written(row, later)
    const first = await written(row)
    await run(row, later)
    await run(row)
    const found = await server.query(
      `SELECT distinct_id, person_version, person_distinct_id_version AS link FROM people ${server.newest}`,
    )
    const states = found.map((state) => [
      state['distinct_id'],
      Number(state['person_version']),
      Number(state['link']),
    ])
    expect(states.map((state) => state.join('|')).toSorted()).toEqual([
      'C|1|1',
      'a|2|1',
      'b|2|1',
      'c |1|1',
      'c|5|1',
      'same|1|1',
      'two|1|2',
    ])
    for (const window of [first, second])
      expect(await verified(row, window)).toMatchObject({ equal: true, problem: null })
  })

  test('a destination test passes, and leaves nothing behind', async () => {
    const row = await createExport({ table_name: 'tried' })
    const { ok, steps } = await tryDestination(jobs.services, row)
    expect(ok, JSON.stringify(steps)).toBe(true)
    const failed = await tryDestination(jobs.services, await createExport({ database: 'no "such" one' }))
    expect(failed.steps.find(({ status }) => status === 'failed')).toMatchObject({
      name: 'Database',
      detail: expect.stringContaining('no "such" one'),
    })
  })
})
