import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Interval } from '../../contract/interval.ts'
import { nextWindows, scheduleOf } from '../../contract/exports/schedule.ts'
import { holdWatermark } from '../store/runs/watermark.ts'
import { waitingRuns } from '../runs/waiting-runs.ts'
import { nextDue, tick } from './scheduler.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** A Tuesday. */
const start = Date.UTC(2026, 2, 10, 12)

let jobs: TestJobs
beforeAll(async () => {
  jobs = await testJobs(start)
})
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(() => jobs.cleanup())

async function windows(row: BatchExportRow) {
  const runs = await jobs.runs(row.id)
  return runs.map((run) => [run.data_interval_start.getTime(), run.data_interval_end.getTime()])
}

async function remove(row: BatchExportRow) {
  const { store } = jobs.services
  await store.updateTable('batch_exports').set({ deleted_at: new Date() }).where('id', '=', row.id).execute()
}

test('a window gets exactly one run, once it has ended and settled', async () => {
  const row = await jobs.createExport()
  jobs.clock.time = start + hour + 4999
  expect(await tick(jobs.services)).toEqual({ created: 0 })
  expect(await nextDue(jobs.services)).toBe(start + hour + 5000)
  jobs.clock.time = start + hour + 5000
  expect(await tick(jobs.services)).toEqual({ created: 1 })
  expect(await tick(jobs.services)).toEqual({ created: 0 })
  expect(await windows(row)).toEqual([[start, start + hour]])
  const [run] = await jobs.runs(row.id)
  expect(run).toMatchObject({ status: 'Starting', origin: 'schedule', selects_by: 'arrival', attempt: 0 })
  const waiting = await waitingRuns(jobs.services.store, jobs.clock.now(), 1)
  expect(waiting.map(({ id }) => id)).toEqual([run?.id])
  await remove(row)
})

test('after a long downtime every missed window gets a run, in bounded steps', async () => {
  jobs.clock.time = start + 10 * day + 10_000
  const row = await jobs.createExport({ interval: 'every 5 minutes', scheduled_until: new Date(start) })
  const steps: number[] = []
  for (;;) {
    const { created } = await tick(jobs.services)
    if (created === 0) break
    steps.push(created)
  }
  expect(Math.max(...steps)).toBe(1000)
  const found = await windows(row)
  expect(found).toEqual(
    Array.from({ length: 2880 }, (_, index) => [
      start + index * 5 * minute,
      start + (index + 1) * 5 * minute,
    ]),
  )
  expect(await jobs.logs(row.id)).toContain(
    'Catching up: 880 runs created for 2026-03-17T10:40:00Z to 2026-03-20T12:00:00Z.',
  )
  await remove(row)
})

test('concurrent schedulers create one run for each window', async () => {
  jobs.clock.time = start + day + 10_000
  const rows = await Promise.all(
    Array.from({ length: 20 }, () => jobs.createExport({ scheduled_until: new Date(start) })),
  )
  const both = await Promise.all([tick(jobs.services), tick(jobs.services), tick(jobs.services)])
  const rest = await tick(jobs.services)
  expect(both.reduce((sum, { created }) => sum + created, rest.created)).toBe(20 * 24)
  for (const row of rows) {
    expect(await windows(row)).toHaveLength(24)
    await remove(row)
  }
})

test('exports that are paused, deleted, not started or ended get no runs', async () => {
  jobs.clock.time = start + 6 * hour
  const from = new Date(start)
  const rows = [
    await jobs.createExport({ scheduled_until: from, paused: true }),
    await jobs.createExport({ scheduled_until: from, deleted_at: from }),
    await jobs.createExport({ scheduled_until: from, start_at: new Date(start + 9 * hour) }),
    await jobs.createExport({ scheduled_until: from, end_at: new Date(start + 30 * minute) }),
  ]
  expect(await tick(jobs.services)).toEqual({ created: 0 })
  expect(await nextDue(jobs.services)).toBe(start + 10 * hour + 5000)
  const bounded = await jobs.createExport({
    scheduled_until: from,
    start_at: new Date(start + 90 * minute),
    end_at: new Date(start + 3 * hour),
  })
  expect(await tick(jobs.services)).toEqual({ created: 2 })
  expect(await windows(bounded)).toEqual([
    [start + hour, start + 2 * hour],
    [start + 2 * hour, start + 3 * hour],
  ])
  for (const row of [...rows, bounded]) await remove(row)
})

test('a window waits for inserts in flight that may add rows to it', async () => {
  jobs.clock.time = start + 2 * hour - 100
  const row = await jobs.createExport({ scheduled_until: new Date(start) })
  const { services } = jobs
  await services.store.transaction().execute(async (transaction) => {
    await holdWatermark(transaction, services.clock)
    jobs.clock.time = start + 2 * hour + minute
    await tick(services)
    expect(await windows(row)).toEqual([[start, start + hour]])
  })
  await tick(services)
  expect(await windows(row)).toHaveLength(2)
  await remove(row)
})

test.each<[Interval, number, [number, number][]]>([
  [
    'hour',
    start + 25 * minute,
    [
      [25 * minute, hour],
      [hour, 2 * hour],
    ],
  ],
  ['day', start, [[0, 12 * hour]]],
  ['week', start, [[0, 5 * day + 12 * hour]]],
  [
    'every 5 minutes',
    start + 7 * day - 10 * minute,
    [
      [7 * day - 10 * minute, 7 * day - 5 * minute],
      [7 * day - 5 * minute, 7 * day],
    ],
  ],
])(
  'after a change of the interval to %s no time is skipped or exported twice',
  async (interval, cursor, expected) => {
    const horizon = start + Math.max(...expected.map(([, end]) => end))
    const row = await jobs.createExport({ interval, scheduled_until: new Date(cursor) })
    expect(nextWindows(scheduleOf(row), cursor, horizon, 10)).toEqual(
      expected.map(([from, to]) => ({ start: start + from, end: start + to })),
    )
    expect(await nextDue(jobs.services)).toBe(start + (expected[0]?.[1] ?? 0) + 5000)
    await remove(row)
  },
)
