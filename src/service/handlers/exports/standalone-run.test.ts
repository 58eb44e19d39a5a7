import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExportRun, StandaloneRun } from '../../../contract/batch-export-run.ts'
import { cursorPage } from '../../../contract/page.ts'
import { createExport, insertBackfill, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('GET /api/projects/:project_id/batch_export_runs/:id/ answers 200 with the run, its files and its export', async () => {
  const made = await createExport(service)
  const run = await insertRun(service, made, { files: ['daily/a.jsonl', 'daily/b.jsonl'] })
  const path = `/api/projects/@current/batch_export_runs/${run.id}/`
  const answer = await service.request('GET', path)
  expect(answer.status, answer.text).toBe(200)
  expect(bodyOf(StandaloneRun, answer)).toMatchObject({
    id: run.id,
    batch_export: made.id,
    batch_export_name: 'Daily events',
    files: ['daily/a.jsonl', 'daily/b.jsonl'],
  })
  await service.request('DELETE', `/api/projects/@current/batch_exports/${made.id}/`)
  expect((await service.request('GET', path)).status).toBe(404)
})

test('runs are listed by the backfill that they belong to', async () => {
  const made = await createExport(service)
  const backfill = await insertBackfill(service, made)
  const run = await insertRun(service, made, { backfill_id: backfill.id })
  await insertRun(service, made)
  const path = `/api/projects/@current/batch_exports/${made.id}/runs/`
  const answer = await service.request('GET', `${path}?backfill=${backfill.id}`)
  expect(bodyOf(cursorPage(BatchExportRun), answer).results.map(({ id }) => id)).toEqual([run.id])
  expect((await service.request('GET', `${path}?backfill=junk`)).status).toBe(400)
})
