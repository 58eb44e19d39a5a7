import {
  array,
  asyncProperty,
  assert,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Coverage, decodeCoverage } from '../../../contract/runs/coverage.ts'
import { nextWindow, scheduleOf } from '../../../contract/exports/schedule.ts'
import { windowAt } from '../../../contract/interval.ts'
import { isRunInProgress, runStatuses } from '../../../contract/runs/run-status.ts'
import { decodeStates } from '../../../contract/runs/window-state.ts'
import { ProjectHealth } from '../../../contract/repair/project-health.ts'
import { repairPeriod } from '../../../contract/repair/repair-plan.ts'
import {
  failingExports,
  lateExports,
  lateWindowsMax,
  shortExports,
} from '../../store/windows/watched-windows.ts'
import { countToRepair, windowsToRepair } from '../../store/windows/windows-to-repair.ts'
import type { Caller } from '../../auth/caller.ts'
import { findRows } from '../../store/schema/rows.ts'
import { overviewOfBatchExports } from '../exports/overview.ts'
import { noteDays } from '../../store/runs/day-changes.ts'
import { createExport, insertEntry, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const acts = [
  ...(['run', 'fail', 'start', 'retry', 'refute', 'delete'] as const),
  ...(['pause', 'unpause', 'end', 'interval', 'wait', 'cursor'] as const),
]
const step = record({
  act: constantFrom(...acts),
  // Few hours, so that several runs are of the same window.
  hours: oneof(integer({ min: 1, max: 4 }), integer({ min: 0, max: 200 })),
  reads: boolean(),
})
type Step = typeof step extends Arbitrary<infer Value> ? Value : never

const pathOf = ({ id }: BatchExport) => `/api/projects/@current/batch_exports/${id}/`

/** Returns the list of exports as the service sends it, which reads unchanged exports from a cache. */
async function readOverview(): Promise<unknown> {
  const response = await service.request('GET', '/api/projects/@current/batch_exports/overview/')
  expect(response.status, response.text).toBe(200)
  return response.body
}

/** Expects that the list of exports equals one that reads everything. */
async function compareOverview(): Promise<void> {
  const { services, own } = service
  const projects = await findRows(services.store, 'projects', { id: own.project_id })
  // Another store has nothing cached.
  const uncached = { ...services, store: services.store.withoutPlugins() }
  const caller = { scopes: ['*'] } as Caller
  const { parts } = await overviewOfBatchExports({ services: uncached, caller, projects })
  expect(await readOverview()).toEqual(JSON.parse(Buffer.concat(parts).toString()))
}

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

/** Performs a step; `scheduled` collects the hours whose scheduled run was started. */
async function perform(made: BatchExport, { act, hours }: Step, scheduled: Set<number>): Promise<void> {
  const { store } = service.services
  const start = new Date(Date.UTC(2026, 2, 4, 12 - hours))
  const bounds = { data_interval_start: start, data_interval_end: new Date(start.getTime() + 3_600_000) }
  if (act === 'run') await insertEntry(service, await insertRun(service, made, bounds))
  else if (act === 'start') {
    const origin = scheduled.has(hours) ? 'backfill' : 'schedule'
    scheduled.add(hours)
    await insertRun(service, made, { ...bounds, status: 'Running', origin })
  } else if (act === 'retry') {
    const failed = await store
      .selectFrom('batch_export_runs')
      .select(['data_interval_start', 'data_interval_end'])
      .where('batch_export_id', '=', made.id)
      .where('status', '=', 'Failed')
      .orderBy('data_interval_end', 'desc')
      .executeTakeFirst()
    if (failed) await insertRun(service, made, { ...failed, status: 'Running' })
  } else if (act === 'refute')
    await store
      .updateTable('batch_export_ledger')
      .set({ rows_read: 0 })
      .where('batch_export_id', '=', made.id)
      .where('data_interval_start', '>', start)
      .execute()
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
  if (['fail', 'refute', 'delete', 'cursor'].includes(act)) await noteDays(store, made.id)
}

type Period = readonly [start: number, end: number]

async function coverage(made: BatchExport, period: Period) {
  const [start, end] = period.map((time) => new Date(time).toISOString())
  const response = await service.request('GET', `${pathOf(made)}coverage/?start=${start}&end=${end}`)
  return decodeCoverage(bodyOf(Coverage, response)).filter((window) => window.start >= period[0])
}

/** Compares the stored states with those of the windows; returns their period. */
async function compareStates(made: BatchExport): Promise<Period> {
  const days = service.services.store.selectFrom('batch_export_days').select(['day', 'states'])
  const rows = await days.where('batch_export_id', '=', made.id).orderBy('day').execute()
  const period = [(rows[0]?.day ?? 0) * 86_400_000, ((rows.at(-1)?.day ?? 0) + 1) * 86_400_000] as const
  const windows = await coverage(made, period)
  expect(rows.flatMap(({ states }) => decodeStates(states))).toEqual(windows.map(({ state }) => state))
  return period
}

/** Expects that alerts say of an export what the states of its windows say. */
async function compareAlerts(made: BatchExport, period: Period): Promise<void> {
  const { store } = service.services
  const { id } = made
  const now = service.clock.now()
  const own = (row: { id: string }) => row.id === id
  const failing = (await failingExports(store, now)).find(own)
  const late = (await lateExports(store, new Date(now), now)).find(own)
  const short = (await shortExports(store, now)).find(own)
  const runs = await store
    .selectFrom('batch_export_runs')
    .selectAll()
    .where('batch_export_id', '=', id)
    .orderBy('data_interval_end')
    .orderBy('data_interval_start')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const row = await store
    .selectFrom('batch_exports')
    .select(['paused', 'scheduled_until', 'interval', 'start_at', 'end_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const cursor = row.scheduled_until.getTime()
  // Includes the window that contains the cursor, which can start before the period.
  const since = windowAt(row.interval, Math.min(period[0], cursor)).start
  const states = await coverage(made, [since, period[1]])
  const unfinished = runs.filter(({ status, origin }) => isRunInProgress(status) && origin === 'schedule')
  const next = row.paused ? null : nextWindow(scheduleOf(row), cursor)
  const oldest = Math.min(...unfinished.map((run) => run.data_interval_end.getTime()), next?.end ?? Infinity)
  const pending = states
    .filter(({ end }) => end >= oldest)
    .slice(0, lateWindowsMax)
    .flatMap(({ state, end }, index) =>
      ['running', 'waiting', 'due'].includes(state) ? [index === 0 ? oldest : end] : [],
    )
  expect(late?.ends.getTime()).toBe(pending.find((end) => end < now))
  // Alerts are about what has finished.
  await store
    .deleteFrom('batch_export_runs')
    .where('batch_export_id', '=', id)
    .where('status', 'in', runStatuses.filter(isRunInProgress))
    .execute()
  const finished = await coverage(made, period)
  const newest = runs.findLast(({ status }) => !isRunInProgress(status))
  const newestEnd = newest?.data_interval_end.getTime() ?? NaN
  const last = finished.find(({ start, end }) => start < newestEnd && newestEnd <= end)
  const isOver = last && (last.end <= now || newest?.status === 'Failed')
  expect(typeof failing?.latest_error === 'string').toBe(isOver === true && last?.state === 'failed')
  const scope = { projectIds: [service.own.project_id], ids: [id] }
  const toRepair = await windowsToRepair(store, scope, repairPeriod(now), now)
  expect(short?.windows ?? 0).toBe(countToRepair(toRepair.get(id) ?? []).short)
  if (finished.some(({ state }) => state === 'short')) expect(short).toBeDefined()
}

/** The cursor is in a window that starts before the stored days, and a run of a later window is unfinished. */
const cursorBeforeDays: Step[] = [
  { act: 'start', hours: 1, reads: false },
  { act: 'run', hours: 0, reads: false },
  { act: 'cursor', hours: 61, reads: false },
]

/** The only unfinished run, a retry, is of a window after the schedule's end. */
const retryAfterEnd: Step[] = [
  { act: 'end', hours: 1, reads: false },
  { act: 'run', hours: 1, reads: false },
  { act: 'cursor', hours: 1, reads: false },
  { act: 'fail', hours: 2, reads: false },
  { act: 'retry', hours: 1, reads: false },
]

/** A pause creates the runs that are due, which no worker of this test starts. */
const dueAtPause: Step[] = [
  { act: 'cursor', hours: 2, reads: false },
  { act: 'pause', hours: 0, reads: false },
  { act: 'unpause', hours: 1, reads: false },
]

test(
  'stored states and the overview equal what the runs say after any changes',
  { timeout: 60_000 },
  async () => {
    await assert(
      asyncProperty(
        constantFrom('hour', 'day', 'week'),
        array(step, { minLength: 4, maxLength: 12 }),
        async (interval, steps) => {
          service.clock.set('2026-03-04T12:10:00Z')
          const made = await createExport(service, { interval, start_at: '2026-02-01T00:00:00Z' })
          await moveCursor(made, 0)
          const scheduled = new Set<number>()
          for (const each of steps) {
            await perform(made, each, scheduled)
            if (each.reads) {
              await readHealth()
              await readOverview()
            }
          }
          await readHealth()
          await compareOverview()
          await compareAlerts(made, await compareStates(made))
        },
      ),
      {
        numRuns: 16,
        examples: [
          ['week', cursorBeforeDays],
          ['hour', dueAtPause],
          ['hour', retryAfterEnd],
        ],
      },
    )
  },
)
