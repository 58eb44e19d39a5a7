import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'
import { createExport } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())

test('a reverted deletion continues more runs than a statement has parameters for, with a line in the log of each', async () => {
  const { id } = await createExport(service, { interval: 'every 5 minutes' })
  const url = `/api/projects/@current/batch_exports/${id}/`
  for (const [start_at, end_at] of [
    ['2025-12-01T00:00:00Z', '2025-12-25T00:00:00Z'],
    ['2026-01-01T00:00:00Z', '2026-01-25T00:00:00Z'],
  ]) {
    const backfill = await service.request('POST', `${url}backfill/`, { body: { start_at, end_at } })
    expect(backfill.status, backfill.text).toBe(200)
  }
  expect((await service.request('DELETE', url)).status).toBe(204)
  const changes = '/api/projects/@current/batch_export_changes/'
  const history = await service.request('GET', `${changes}?batch_export=${id}`)
  const [deletion] = bodyOf(endpoints.changesOfProject.response, history).results
  const reverted = await service.request('POST', `${changes}${deletion?.id}/revert/`, { body: {} })
  expect(reverted.status, reverted.text).toBe(200)
  const { store } = service.services
  const runs = await store
    .selectFrom('batch_export_runs')
    .innerJoin('batch_export_logs', 'run_id', 'batch_export_runs.id')
    .select(['status', 'message', (select) => select.fn.countAll<number>().as('count')])
    .groupBy(['status', 'message'])
    .execute()
  expect(runs).toEqual([
    { status: 'Starting', message: 'Queued again: the termination was undone.', count: 2 * 24 * 288 },
  ])
})
