import { afterAll, beforeAll, expect, test } from 'vitest'
import { Backfill } from '../../../contract/runs/batch-export-run.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { cursorPage } from '../../../contract/page.ts'
import { createExport, insertBackfill, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/batch_exports/:batch_export_id/backfills'
let service: TestService
let batchExport: BatchExport

beforeAll(async () => {
  service = await createTestService()
  batchExport = await createExport(service)
})
afterAll(() => service.stop())

function backfillsPath(rest = ''): string {
  return `/api/projects/${service.own.project_id}/batch_exports/${batchExport.id}/backfills/${rest}`
}

test(`GET ${of}/:id/ returns 200 with the backfill and its progress`, async () => {
  const backfill = await insertBackfill(service, batchExport, {
    status: 'Running',
    finished_at: null,
    total_runs: 4,
  })
  for (const status of ['Completed', 'Failed', 'Running'] as const)
    await insertRun(service, batchExport, { status, backfill_id: backfill.id })
  const response = await service.request('GET', backfillsPath(`${backfill.id}/`))
  expect(bodyOf(Backfill, response)).toEqual({
    id: backfill.id,
    progress: { total_runs: 4, finished_runs: 2, progress: 0.5 },
    start_at: '2026-03-01T00:00:00Z',
    end_at: '2026-03-02T00:00:00Z',
    status: 'Running',
    created_at: '2026-03-04T10:30:00Z',
    finished_at: null,
    last_updated_at: '2026-03-04T10:30:00Z',
    batch_export: batchExport.id,
  })
})

test(`GET ${of}/ returns 200 with the newest fifty and links to the rest`, async () => {
  batchExport = await createExport(service)
  const ids: string[] = []
  for (let index = 0; index < 60; index++) ids.push((await insertBackfill(service, batchExport)).id)
  const page = async (url: string) => bodyOf(cursorPage(Backfill), await service.request('GET', url))
  const first = await page(backfillsPath())
  const second = await page(first.next ?? '')
  expect(first.results).toHaveLength(50)
  expect([...first.results, ...second.results].map((row) => row.id)).toEqual(ids.reverse())
  expect((await page(second.previous ?? '')).results).toEqual(first.results)
  const wrong = await service.request('GET', `${backfillsPath()}?cursor=x`)
  expect(problemOf(wrong).detail).toBe('Invalid cursor')
})

test(`POST ${of}/:id/cancel/ returns 200, and 400 for a finished backfill`, async () => {
  const body = { start_at: '2026-03-01T00:00:00Z', end_at: '2026-03-01T03:00:00Z' }
  await service.request('POST', backfillsPath().replace('backfills', 'backfill'), { body })
  const list = bodyOf(cursorPage(Backfill), await service.request('GET', backfillsPath()))
  const running = list.results.find((row) => row.status === 'Starting' || row.status === 'Running')
  const path = backfillsPath(`${running?.id}/cancel/`)
  const response = await service.request('POST', path)
  expect([response.status, response.body]).toEqual([200, { cancelled: true }])
  const shown = bodyOf(Backfill, await service.request('GET', backfillsPath(`${running?.id}/`)))
  expect(shown.status).toBe('Cancelled')
  const refused = await service.request('POST', path)
  expect(problemOf(refused).detail).toBe("Cannot cancel a backfill that is in 'Cancelled' status")
})
