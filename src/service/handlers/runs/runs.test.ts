import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { BatchExportRun, runOrderings } from '../../../contract/runs/batch-export-run.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { cursorPage } from '../../../contract/page.ts'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/batch_exports/:batch_export_id/runs'
const RunPage = cursorPage(BatchExportRun)
let service: TestService
let batchExport: BatchExport

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.clock.set('2026-03-04T10:30:00Z')
  batchExport = await createExport(service)
})

function runsPath(rest = ''): string {
  return `/api/projects/${service.own.project_id}/batch_exports/${batchExport.id}/runs/${rest}`
}

async function pageAt(url: string) {
  return bodyOf(RunPage, await service.request('GET', url))
}

/** Inserts runs of consecutive hours, created a second apart. */
async function insertRuns(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const start = Date.parse('2026-01-01T00:00:00Z') + index * 3_600_000
    const run = await insertRun(service, batchExport, {
      // Every three runs share a creation time, so that ordering needs more than the time.
      created_at: new Date(service.clock.now() + Math.floor(index / 3) * 1000),
      data_interval_start: new Date(start),
      data_interval_end: new Date(start + 3_600_000),
    })
    ids.push(run.id)
  }
  return ids
}

test(`GET ${of}/:id/ returns 200 with the run`, async () => {
  const run = await insertRun(service, batchExport, {
    status: 'Failed',
    latest_error: 'No such bucket',
    records_completed: 7,
    finished_at: new Date('2026-03-04T10:29:59.5Z'),
  })
  const response = await service.request('GET', runsPath(`${run.id}/`))
  const { cursor, ...shown } = bodyOf(BatchExportRun, response)
  expect(cursor).toMatch(/^[\w-]+$/)
  expect(Object.keys(z.looseObject({}).parse(response.body))).toEqual([
    ...Object.keys(BatchExportRun.shape),
    'files',
    'window_query',
  ])
  expect(shown).toEqual({
    id: run.id,
    status: 'Failed',
    records_completed: 7,
    latest_error: 'No such bucket',
    data_interval_start: '2026-03-04T09:00:00Z',
    data_interval_end: '2026-03-04T10:00:00Z',
    created_at: '2026-03-04T10:30:00Z',
    finished_at: '2026-03-04T10:29:59.500000Z',
    last_updated_at: '2026-03-04T10:30:00Z',
    records_total_count: null,
    batch_export: batchExport.id,
    backfill: null,
    bytes_exported: null,
    attempt: 1,
  })
})

test(`GET ${of}/ returns 200 with the newest hundred, and links to the rest and back`, async () => {
  const ids = (await insertRuns(230)).reverse()
  const first = await pageAt(runsPath())
  expect(first.previous).toBeNull()
  const second = await pageAt(first.next ?? '')
  const third = await pageAt(second.next ?? '')
  expect(third.next).toBeNull()
  const all = [...first.results, ...second.results, ...third.results].map((run) => run.id)
  expect(all).toEqual(ids)
  const backTwice = await pageAt((await pageAt(third.previous ?? '')).previous ?? '')
  expect(backTwice.results).toEqual(first.results)
  expect(backTwice.previous).toBeNull()
  expect((await pageAt(backTwice.next ?? '')).results).toEqual(second.results)
})

test('runs inserted while a client pages through the list neither repeat nor hide a run', async () => {
  const ids = (await insertRuns(150)).reverse()
  const first = await pageAt(runsPath())
  service.clock.advance(3_600_000)
  const newer = await insertRun(service, batchExport)
  const second = await pageAt(first.next ?? '')
  expect([...first.results, ...second.results].map((run) => run.id)).toEqual(ids)
  const back = await pageAt(second.previous ?? '')
  expect(back.results).toEqual(first.results)
  expect((await pageAt(back.previous ?? '')).results.map((run) => run.id)).toEqual([newer.id])
})

test.each(runOrderings)('runs can be ordered by %s, on every page', async (ordering) => {
  const ids = await insertRuns(120)
  const first = await pageAt(`${runsPath()}?ordering=${ordering}`)
  const second = await pageAt(first.next ?? '')
  const listed = [...first.results, ...second.results].map((run) => run.id)
  expect(listed).toEqual(ordering.startsWith('-') ? ids.reverse() : ids)
})

test('an unknown ordering returns 400 naming the valid ones', async () => {
  const response = await service.request('GET', `${runsPath()}?ordering=size`)
  expect(problemOf(response)).toMatchObject({
    code: 'invalid_choice',
    attr: 'ordering',
    detail:
      '"size" is not a valid choice. Order by one of: created_at, -created_at, data_interval_start, -data_interval_start.',
  })
})

test('a cursor that is invalid, or of another ordering or export, returns 404', async () => {
  await insertRuns(101)
  const cursor = new URL((await pageAt(runsPath())).next ?? '').searchParams.get('cursor') ?? ''
  const other = await createExport(service)
  const urls = [
    `${runsPath()}?cursor=junk`,
    `${runsPath()}?cursor=${Buffer.from('["-created_at","next",7]').toString('base64url')}`,
    `${runsPath()}?ordering=created_at&cursor=${cursor}`,
    `/api/projects/@current/batch_exports/${other.id}/runs/?cursor=${cursor}`,
  ]
  for (const url of urls) {
    const response = await service.request('GET', url)
    expect(response.status, url).toBe(404)
    expect(problemOf(response)).toMatchObject({ code: 'not_found', detail: 'Invalid cursor' })
  }
})

test('filters runs by status, creation and data interval, and keeps the filter in the links', async () => {
  const ids = await insertRuns(110)
  const failed = await insertRun(service, batchExport, { status: 'Failed' })
  const cancelled = await insertRun(service, batchExport, { status: 'Cancelled' })
  const some = await pageAt(`${runsPath()}?status=Failed&status=Cancelled`)
  expect(some.results.map((run) => run.id).sort()).toEqual([failed.id, cancelled.id].sort())
  const completed = await pageAt(`${runsPath()}?status=Completed`)
  expect((await pageAt(completed.next ?? '')).results.every((run) => run.status === 'Completed')).toBe(true)
  const interval = await pageAt(`${runsPath()}?start=2026-01-01T05:00:00Z&end=2026-01-01T07:00:00Z`)
  expect(interval.results.map((run) => run.id)).toEqual([ids[6], ids[5]])
  const made = await pageAt(`${runsPath()}?after=2026-03-04T10:30:01Z&before=2026-03-04T10:30:01Z`)
  expect(made.results).toHaveLength(3)
  const wrong = await service.request('GET', `${runsPath()}?status=Done`)
  expect(problemOf(wrong)).toMatchObject({ code: 'invalid_choice', detail: '"Done" is not a valid choice.' })
})

test('lists the runs that the schedule started, without those of backfills', async () => {
  const scheduled = await insertRun(service, batchExport)
  const path = `/api/projects/@current/batch_exports/${batchExport.id}/backfill/`
  await service.request('POST', path, {
    body: { start_at: '2026-01-01T00:00:00Z', end_at: '2026-01-02T00:00:00Z' },
  })
  expect((await pageAt(runsPath())).results).toHaveLength(25)
  const { results } = await pageAt(`${runsPath()}?backfill=none`)
  expect(results.map((run) => run.id)).toEqual([scheduled.id])
})

test(`GET ${of}/:id/logs/ returns 200 with the run and only its own log entries`, async () => {
  const run = await insertRun(service, batchExport)
  await service.services.store
    .insertInto('batch_export_logs')
    .values({
      batch_export_id: batchExport.id,
      run_id: run.id,
      timestamp: new Date(service.clock.now()),
      level: 'INFO',
      message: 'Wrote one file.',
    })
    .execute()
  const response = await service.request('GET', runsPath(`${run.id}/logs/`))
  expect(response.body).toMatchObject({
    id: run.id,
    status: 'Completed',
    count: 1,
    next: null,
    previous: null,
  })
  expect(response.body).toMatchObject({ results: [{ instance_id: run.id, message: 'Wrote one file.' }] })
})

test(`POST ${of}/:id/retry/ returns 200 with a new run and keeps the old one`, async () => {
  const run = await insertRun(service, batchExport, { status: 'Failed' })
  const body = { status: 'Cancelled', data_interval_start: '2020-01-01', data_interval_end: '2020-01-02' }
  const response = await service.request('POST', runsPath(`${run.id}/retry/`), { body })
  expect(response.status, response.text).toBe(200)
  const retried = bodyOf(BatchExportRun.extend({ backfill_id: z.string() }), response)
  expect(retried.id).not.toBe(run.id)
  expect(retried).toMatchObject({
    status: 'Starting',
    records_completed: 0,
    data_interval_start: '2026-03-04T09:00:00Z',
    data_interval_end: '2026-03-04T10:00:00Z',
  })
  const old = bodyOf(BatchExportRun, await service.request('GET', runsPath(`${run.id}/`)))
  expect(old.status).toBe('Failed')
  const wrong = await service.request('POST', runsPath(`${run.id}/retry/`), { body: { status: 'Bad' } })
  expect(problemOf(wrong)).toMatchObject({ attr: 'status', code: 'invalid_choice' })
})

test(`POST ${of}/:id/retry/ returns 409 while the run is in progress`, async () => {
  const run = await insertRun(service, batchExport, { status: 'Running' })
  const response = await service.request('POST', runsPath(`${run.id}/retry/`))
  expect(response.status).toBe(409)
  expect(problemOf(response)).toMatchObject({ type: 'validation_error', code: 'conflict' })
})

test(`POST ${of}/:id/cancel/ returns 200, and 400 for a finished run`, async () => {
  const run = await insertRun(service, batchExport, { status: 'Starting' })
  const response = await service.request('POST', runsPath(`${run.id}/cancel/`))
  expect([response.status, response.body]).toEqual([200, { cancelled: true }])
  const over = await insertRun(service, batchExport)
  const refused = await service.request('POST', runsPath(`${over.id}/cancel/`))
  expect(problemOf(refused).detail).toBe("Cannot cancel a run that is in 'Completed' status")
})
