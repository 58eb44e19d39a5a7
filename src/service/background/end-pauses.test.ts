import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { decodeCoverage, Coverage } from '../../contract/runs/coverage.ts'
import { BatchExport } from '../../contract/exports/batch-export.ts'
import { createExport } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import { endPauses } from './end-pauses.ts'
import { tick } from './scheduler.ts'

let service: TestService
const path = '/api/projects/@current/batch_exports/'

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))

async function pauseUntil(until: string | null, reason = 'The bucket moves.') {
  const made = await createExport(service)
  const body = { reason, until }
  const paused = await service.request('POST', `${path}${made.id}/pause/`, { body })
  expect(paused.status, paused.text).toBe(200)
  return made
}

const shown = async ({ id }: { id: string }) =>
  bodyOf(BatchExport, await service.request('GET', `${path}${id}/`))

const runStarts = async ({ id }: { id: string }) => {
  const rows = await service.services.store
    .selectFrom('batch_export_runs')
    .select('data_interval_start')
    .where('batch_export_id', '=', id)
    .orderBy('data_interval_start')
    .execute()
  return rows.map((row) => row.data_interval_start.toISOString().slice(11, 16))
}

test('a pause ends once at its time, even if the service starts hours later: only its windows are skipped', async () => {
  const made = await pauseUntil('2026-03-04T13:20:00Z')
  service.clock.set('2026-03-04T13:19:59Z')
  expect(await endPauses(service.services)).toBe(0)
  service.clock.set('2026-03-04T16:05:00Z')
  const ended = await Promise.all([endPauses(service.services), endPauses(service.services)])
  expect(ended.toSorted()).toEqual([0, 1])
  expect(await endPauses(service.services)).toBe(0)
  expect(await shown(made)).toMatchObject({ paused: false, pause_reason: null, paused_until: null })
  await tick(service.services)
  expect(await runStarts(made)).toEqual(['13:00', '14:00', '15:00'])
  const period = 'start=2026-03-04T10:00:00Z&end=2026-03-04T16:00:00Z'
  const coverage = await service.request('GET', `${path}${made.id}/coverage/?${period}`)
  const states = decodeCoverage(bodyOf(Coverage, coverage)).map(({ state }) => state)
  expect(states).toEqual(['paused', 'paused', 'paused', 'waiting', 'waiting', 'waiting'])
  const changes = await service.request('GET', `${path}${made.id}/changes/`)
  expect(changes.body).toMatchObject({
    results: [
      { kind: 'unpaused', by: null },
      { kind: 'paused', by: expect.any(String) },
      { kind: 'created' },
    ],
  })
  const logs = await service.request('GET', `${path}${made.id}/logs/`)
  expect(logs.text).toContain('Unpaused automatically: the pause was to end at 2026-03-04T13:20:00Z.')
  expect(logs.text).toContain('Paused until 2026-03-04T13:20:00Z (\\"The bucket moves.\\") by')
})

test('a pause without an end, one that a user has ended, and one with a later end stay as they are', async () => {
  const [open, ended, later] = [
    await pauseUntil(null),
    await pauseUntil('2026-03-04T11:00:00Z'),
    await pauseUntil('2026-03-04T11:00:00Z'),
  ]
  await service.request('POST', `${path}${ended.id}/unpause/`, { body: {} })
  await service.request('POST', `${path}${later.id}/pause/`, { body: { until: '2026-03-05T00:00:00Z' } })
  service.clock.set('2026-03-04T12:00:00Z')
  expect(await endPauses(service.services)).toBe(0)
  expect(await shown(open)).toMatchObject({ paused: true, pause_reason: 'The bucket moves.' })
  expect(await shown(ended)).toMatchObject({ paused: false, pause_reason: null, paused_until: null })
  expect(await shown(later)).toMatchObject({ paused: true, paused_until: '2026-03-05T00:00:00Z' })
})

test('windows that had ended before the pause, but had no run yet, are exported after it', async () => {
  const made = await createExport(service)
  service.clock.set('2026-03-04T11:30:00Z')
  await service.request('POST', `${path}${made.id}/pause/`, { body: { until: '2026-03-04T13:00:00Z' } })
  service.clock.set('2026-03-04T14:10:00Z')
  expect(await endPauses(service.services)).toBe(1)
  await tick(service.services)
  expect(await runStarts(made)).toEqual(['10:00', '13:00'])
})
