import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExport, exportInput } from '../../testing/test-rows.ts'
import { createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const exportsPath = '/api/projects/@current/batch_exports/'
let service: TestService

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())

const destination = {
  type: 'Postgres',
  config: { host: '127.0.0.1', port: '5432', database: 'd', user: 'u', password: 'p', table_name: 'events' },
}

test('several exports can write to one table', async () => {
  await createExport(service, { destination })
  const body = { ...exportInput, destination }
  expect((await service.request('POST', exportsPath, { body })).status).toBe(201)
})

test('refuses a host that exports may not reach', async () => {
  const strict = await createTestService({ config: { privateDestinations: 'none' } })
  const refused = await strict.request('POST', exportsPath, { body: { ...exportInput, destination } })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    400,
    expect.stringContaining('is not on the public internet'),
  ])
  expect(problemOf(refused).issues).toMatchObject([{ path: ['destination', 'config', 'host'] }])
  await strict.stop()
})

test('the interval of a table with rows cannot change', async () => {
  const made = await createExport(service, { destination })
  const path = `${exportsPath}${made.id}/`
  const change = { body: { interval: 'day' } }
  expect((await service.request('PATCH', path, change)).status).toBe(200)
  const { store } = service.services
  const row = await store
    .selectFrom('batch_exports')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  const at = new Date(service.clock.now())
  await store
    .insertInto('batch_export_ledger')
    .values({
      batch_export_id: made.id,
      data_interval_start: at,
      data_interval_end: new Date(at.getTime() + 86_400_000),
      run_id: made.id,
      selects_by: 'arrival',
      taken_until: at,
      settings: JSON.stringify(row),
      rows_expected: 1,
      rows_written: 1,
      objects: '[]',
      written_at: at,
      late_rows: 0,
    })
    .execute()
  const refused = await service.request('PATCH', path, { body: { interval: 'hour' } })
  expect(refused.status).toBe(400)
  expect(problemOf(refused)).toMatchObject({
    attr: 'interval',
    detail: expect.stringContaining('Clone the export'),
  })
  expect((await service.request('PATCH', path, { body: { name: 'Other' } })).status).toBe(200)
})
