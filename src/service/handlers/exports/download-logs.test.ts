import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('GET /api/projects/:project_id/batch_exports/:id/logs/download/ returns 200 with the matching lines, oldest first', async () => {
  const made = await createExport(service)
  const run = await insertRun(service, made)
  await service.services.store
    .insertInto('batch_export_logs')
    .values([
      {
        batch_export_id: made.id,
        run_id: run.id,
        timestamp: new Date('2026-03-04T11:00:00Z'),
        level: 'ERROR',
        message: 'Failed:\nno bucket',
      },
      {
        batch_export_id: made.id,
        run_id: null,
        timestamp: new Date('2026-03-04T10:59:00.5Z'),
        level: 'INFO',
        message: 'Something.',
      },
    ])
    .execute()
  const download = (query: string) =>
    service.request('GET', `/api/projects/@current/batch_exports/${made.id}/logs/download/${query}`)
  const response = await download('')
  expect(response.status).toBe(200)
  expect(String(response.headers['content-type'])).toMatch(/^text\/plain/)
  expect(response.text.split('\n')).toEqual([
    "2026-03-04T10:30:00Z INFO - Created by key 'Own key'.",
    '2026-03-04T10:59:00.500000Z INFO - Something.',
    `2026-03-04T11:00:00Z ERROR ${run.id} Failed: no bucket`,
    '',
  ])
  expect((await download('?level=error&search=BUCKET')).text).toMatch(/^[^\n]*no bucket\n$/)
  expect((await download('?after=2026-03-04T10:31:00Z&before=2026-03-04T10:59:30Z')).text).toMatch(
    /Something/,
  )
  expect((await download('?search=nothing-like-it')).text).toBe('')
  expect((await download('?level=loud')).status).toBe(400)
})

test('a download of many batches contains every line once, in order', async () => {
  const made = await createExport(service)
  await sql`
    INSERT INTO batch_export_logs (batch_export_id, timestamp, level, message)
    SELECT ${made.id}::uuid, timestamptz '2026-03-05Z' + (n / 700) * interval '1 second', 'INFO', 'line ' || n
    FROM generate_series(1, 5300) n`.execute(service.services.store)
  const response = await service.request(
    'GET',
    `/api/projects/@current/batch_exports/${made.id}/logs/download/?search=line`,
  )
  const numbers = response.text
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(' ').at(-1)))
  expect(numbers).toEqual(Array.from({ length: 5300 }, (_, index) => index + 1))
})
