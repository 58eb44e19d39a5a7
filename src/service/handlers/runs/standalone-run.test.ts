import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExportRun, StandaloneRun } from '../../../contract/runs/batch-export-run.ts'
import { cursorPage } from '../../../contract/page.ts'
import { createExport, insertBackfill, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('GET /api/projects/:project_id/batch_export_runs/:id/ returns 200 with the run, its files and its export', async () => {
  const made = await createExport(service)
  const run = await insertRun(service, made, { files: ['daily/a.jsonl', 'daily/b.jsonl'] })
  const path = `/api/projects/@current/batch_export_runs/${run.id}/`
  const response = await service.request('GET', path)
  expect(response.status, response.text).toBe(200)
  expect(bodyOf(StandaloneRun, response)).toMatchObject({
    id: run.id,
    batch_export: made.id,
    batch_export_name: 'Daily events',
    files: ['daily/a.jsonl', 'daily/b.jsonl'],
  })
  await service.request('DELETE', `/api/projects/@current/batch_exports/${made.id}/`)
  expect((await service.request('GET', path)).status).toBe(404)
})

test('filters runs by their backfill', async () => {
  const made = await createExport(service)
  const backfill = await insertBackfill(service, made)
  const run = await insertRun(service, made, { backfill_id: backfill.id })
  await insertRun(service, made)
  const path = `/api/projects/@current/batch_exports/${made.id}/runs/`
  const response = await service.request('GET', `${path}?backfill=${backfill.id}`)
  expect(bodyOf(cursorPage(BatchExportRun), response).results.map(({ id }) => id)).toEqual([run.id])
  expect((await service.request('GET', `${path}?backfill=junk`)).status).toBe(400)
})
