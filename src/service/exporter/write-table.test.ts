import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetArrivals } from '../testing/test-clock.ts'
import { createTestPostgres, type TestPostgres } from '../testing/servers/test-postgres.ts'
import {
  closeTestExports,
  events,
  failure,
  insertOnce,
  jobs,
  openTestExports,
  hour,
  run,
  start,
  time,
  uuid,
  verified,
  written,
} from '../testing/test-exports.ts'

let database: TestPostgres
beforeAll(async () => {
  await openTestExports()
  database = await createTestPostgres(jobs.pool)
})
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(async () => {
  await database.close()
  await closeTestExports()
})

const createExport = (config: Record<string, unknown>, change = {}) =>
  jobs.createExport({ ...database.destination(jobs.services, config), ...change })

test('writes every row to a table that it creates, and a repeat replaces them', async () => {
  await insertOnce()
  const row = await createExport({ table_name: 'first "é"' })
  for (const _ of [1, 2]) {
    const window = await written(row)
    expect(window).toMatchObject({ rows_written: events.length, objects: [] })
    const rows = await database.query<{ event: string; properties: unknown; at: string }>(
      `SELECT event, properties, extract(epoch FROM timestamp) * 1000 AS at FROM "first ""é""" ORDER BY uuid`,
    )
    expect(rows.map(({ event, at }) => [event, Number(at)])).toEqual(
      events.map(({ event, timestamp }) => [event, timestamp]),
    )
    expect(rows[0]?.properties).toEqual({ a: 1, nested: { b: [true, null] } })
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'intact',
      problem: null,
      equal: true,
      rows_read: events.length,
    })
    const deliveries = await database.query<{ rows: number }>(
      'SELECT rows FROM _spool_deliveries WHERE export_id = $1',
      [row.id],
    )
    expect(deliveries).toEqual([{ rows: events.length }])
  }
})

test('a changed value, a missing row and an added row are found out', async () => {
  await insertOnce()
  const row = await createExport({ table_name: 'harmed' })
  const window = await written(row)
  await database.query(`UPDATE harmed SET properties = '{"a": 2}' WHERE event = 'plain'`)
  expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: events.length })
  await database.query(`DELETE FROM harmed WHERE event = 'plain'`)
  expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: events.length - 1 })
  await run(row)
  await database.query(`INSERT INTO harmed SELECT * FROM harmed WHERE event = 'plain'`)
  expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: events.length + 1 })
  await database.query('DROP TABLE harmed')
  expect(await verified(row, window)).toMatchObject({ objects_found: 'gone', rows_read: null })
})

test('a wrong password is explained without it', async () => {
  await insertOnce()
  const row = await jobs.createExport(database.destination(jobs.services, {}, { password: 'planted secret' }))
  const { permanent, message } = await failure(row)
  expect({ permanent, message }).toEqual({
    permanent: true,
    message: expect.stringContaining('does not accept the user and password'),
  })
  expect(message).not.toContain('planted')
})

const person = (distinct_id: string, id: number, versions: [number, number], at: number) => ({
  team_id: jobs.projectId,
  person_id: uuid(id),
  distinct_id,
  properties: JSON.stringify({ id, versions }),
  person_version: versions[1],
  person_distinct_id_version: versions[0],
  created_at: time(start),
  is_deleted: 0,
  inserted_at: time(at),
})

const hourFrom = (number: number) => ({
  data_interval_start: new Date(start + number * hour),
  data_interval_end: new Date(start + (number + 1) * hour),
})

test('a table has the newest row of each person, and each window stays proven when later ones change it', async () => {
  const rows = [
    person('a', 1, [1, 1], start + 1),
    person('b', 2, [1, 1], start + 2),
    person('b', 3, [2, 1], start + 3),
    person('c', 4, [1, 5], start + 4),
    person('a', 1, [1, 2], start + hour + 1),
    person('c', 4, [1, 4], start + hour + 2),
    person('d', 5, [1, 1], start + hour + 3),
  ]
  await jobs.services.warehouse.insert('persons', rows.map((row) => JSON.stringify(row)).join('\n'))
  const row = await createExport({ table_name: 'people' }, { model: 'persons' })
  const newest = () => database.query('SELECT distinct_id, properties FROM people ORDER BY distinct_id')
  const first = await written(row, hourFrom(0))
  expect(await verified(row, first)).toMatchObject({ rows_read: 4, equal: true })
  const second = await written(row, hourFrom(1))
  const all = [
    { distinct_id: 'a', properties: { id: 1, versions: [1, 2] } },
    { distinct_id: 'b', properties: { id: 3, versions: [2, 1] } },
    { distinct_id: 'c', properties: { id: 4, versions: [1, 5] } },
    { distinct_id: 'd', properties: { id: 5, versions: [1, 1] } },
  ]
  expect(await newest()).toEqual(all)
  // A repeat of the first window brings nothing back that the second has replaced.
  const again = await written(row, hourFrom(0))
  expect(await newest()).toEqual(all)
  for (const window of [first, second, again])
    expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: window.rows_written })
  await database.query(`DELETE FROM people WHERE distinct_id = 'd'`)
  expect(await verified(row, second)).toMatchObject({ equal: false, rows_read: 2 })
})

test('persons without the columns of the merge are appended, window by window', async () => {
  const rows = [person('x', 8, [1, 1], start - 30 * hour), person('x', 8, [1, 2], start - 29 * hour)]
  await jobs.services.warehouse.insert('persons', rows.map((row) => JSON.stringify(row)).join('\n'))
  const hogql_query = 'SELECT team_id, distinct_id, person_version, person_distinct_id_version FROM persons'
  const row = await createExport({ table_name: 'partial' }, { model: 'persons', hogql_query })
  for (const number of [-30, -29]) {
    const window = await written(row, hourFrom(number))
    expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: 1 })
  }
  expect(await database.query('SELECT FROM "partial"')).toHaveLength(2)
})

test('says why windows of a table that cannot tell them apart cannot be verified', async () => {
  await insertOnce()
  await database.query('CREATE TABLE appended (uuid uuid, event text)')
  const row = await createExport({ table_name: 'appended', append_only: true })
  const { problem } = await verified(row, await written(row))
  expect(problem).toContain('has no column "_spool_window", so its windows cannot be told apart')
})

test('a number that no database has does not stop an export', async () => {
  const at = start - 40 * hour
  const properties = `{"n":${'1'.repeat(200_000)},"deep":${'['.repeat(900)}${']'.repeat(900)}}`
  await jobs.insertEvents([{ timestamp: at + 1, inserted_at: at + 1, properties }])
  const row = await createExport({ table_name: 'long_number' })
  const window = await written(row, hourFrom(-40))
  expect(await database.query('SELECT jsonb_typeof(properties) AS type FROM long_number')).toEqual([
    { type: 'string' },
  ])
  expect(await verified(row, window)).toMatchObject({ equal: true, rows_read: 1 })
})
