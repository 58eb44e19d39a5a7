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
  run,
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
