import {
  array,
  asyncProperty,
  assert,
  boolean,
  constantFrom,
  integer,
  record,
  type Arbitrary,
} from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Coverage, decodeCoverage } from '../../../contract/runs/coverage.ts'
import { decodeStates } from '../../../contract/runs/window-state.ts'
import { ProjectHealth } from '../../../contract/repair/project-health.ts'
import { failingExports, lateExports } from '../../store/windows/watched-windows.ts'
import { noteDays } from '../../store/runs/day-changes.ts'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const step = record({
  act: constantFrom('run', 'fail', 'delete', 'pause', 'unpause', 'end', 'interval', 'wait', 'cursor'),
  hours: integer({ min: 0, max: 200 }),
  reads: boolean(),
})
type Step = typeof step extends Arbitrary<infer Value> ? Value : never

const pathOf = ({ id }: BatchExport) => `/api/projects/@current/batch_exports/${id}/`

async function readHealth(): Promise<void> {
  const response = await service.request('GET', '/api/projects/@current/health/')
  expect(response.status, response.text).toBe(200)
  bodyOf(ProjectHealth, response)
}

/** Moves the schedule's cursor to `hours` before now. */
function moveCursor({ id }: BatchExport, hours: number): Promise<unknown> {
  const scheduled_until = new Date(service.clock.now() - hours * 3_600_000)
  const exports = service.services.store.updateTable('batch_exports').set({ scheduled_until })
  return exports.where('id', '=', id).execute()
}

async function perform(made: BatchExport, { act, hours }: Step): Promise<void> {
  const { store } = service.services
  const start = new Date(Date.UTC(2026, 2, 4, 12 - hours))
  const data_interval_end = new Date(start.getTime() + 3_600_000)
  if (act === 'run') await insertRun(service, made, { data_interval_start: start, data_interval_end })
  else if (act === 'fail')
    await store
      .updateTable('batch_export_runs')
      .set({ status: 'Failed' })
      .where('batch_export_id', '=', made.id)
      .where('data_interval_start', '>', start)
      .execute()
  else if (act === 'delete')
    await store
      .deleteFrom('batch_export_runs')
      .where('batch_export_id', '=', made.id)
      .where('data_interval_start', '<', start)
      .execute()
  else if (act === 'end')
    await service.request('PATCH', pathOf(made), { body: { end_at: start.toISOString() } })
  else if (act === 'interval')
    await service.request('PATCH', pathOf(made), { body: { interval: hours % 2 ? 'hour' : 'day' } })
  else if (act === 'wait') service.clock.advance(hours * 600_000)
  else if (act === 'cursor') await moveCursor(made, hours)
  else await service.request('POST', `${pathOf(made)}${act}/`)
  // The API notes what it changes itself.
  if (['fail', 'delete', 'cursor'].includes(act)) await noteDays(store, made.id)
}

/** Compares the stored states with those of the windows; returns the windows. */
async function compareStates(made: BatchExport) {
  const days = service.services.store.selectFrom('batch_export_days').select(['day', 'states'])
  const rows = await days.where('batch_export_id', '=', made.id).orderBy('day').execute()
  const period = [(rows[0]?.day ?? 0) * 86_400_000, ((rows.at(-1)?.day ?? 0) + 1) * 86_400_000] as const
  const query = period.map((time) => new Date(time).toISOString())
  const response = await service.request('GET', `${pathOf(made)}coverage/?start=${query[0]}&end=${query[1]}`)
  const windows = decodeCoverage(bodyOf(Coverage, response)).filter(({ start }) => start >= period[0])
  expect(rows.flatMap(({ states }) => decodeStates(states))).toEqual(windows.map(({ state }) => state))
  return windows
}

test('stored states equal those computed from the runs after any changes', { timeout: 60_000 }, async () => {
  const { store } = service.services
  await assert(
    asyncProperty(
      constantFrom('hour', 'day', 'week'),
      array(step, { maxLength: 8 }),
      async (interval, steps) => {
        service.clock.set('2026-03-04T12:10:00Z')
        const made = await createExport(service, { interval, start_at: '2026-02-01T00:00:00Z' })
        await moveCursor(made, 0)
        for (const each of steps) {
          await perform(made, each)
          if (each.reads) await readHealth()
        }
        await readHealth()
        const windows = await compareStates(made)
        // The runs have an hour: after a change of the interval, a window has several of them.
        if (interval !== 'hour' || steps.some(({ act }) => act === 'interval')) return
        const own = ({ id }: { id: string }) => id === made.id
        const newest = windows.findLast(({ state }) => ['completed', 'short', 'failed'].includes(state))
        const failing = (await failingExports(store)).find(own)
        expect(typeof failing?.latest_error === 'string').toBe(newest?.state === 'failed')
        const late = (await lateExports(store, new Date(service.clock.now()))).find(own)
        const due = windows.find(({ state }) => state === 'due')
        const { paused } = bodyOf(BatchExport, await service.request('GET', pathOf(made)))
        if (due && !paused) expect(late?.ends.getTime()).toBeLessThanOrEqual(due.end)
      },
    ),
    { numRuns: 15 },
  )
})
