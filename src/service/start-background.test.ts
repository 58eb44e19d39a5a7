import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackfill } from './runs/backfill.ts'
import { openDispatcher } from './runs/dispatcher.ts'
import { openWorker } from './runs/worker.ts'
import { startBackground } from './start-background.ts'
import { systemClock } from './clock.ts'
import type { Role } from './config.ts'
import type { Services } from './services.ts'
import type { RunRow } from './store/runs/runs-list.ts'
import { testJobs, type TestJobs } from './testing/test-jobs.ts'

const minute = 60_000
const hour = 60 * minute
/** The timers use the real clock, so the windows are current ones. */
const start = Math.floor(Date.now() / hour) * hour

let jobs: TestJobs
let services: Services
beforeAll(async () => {
  jobs = await testJobs(Date.now())
  services = { ...jobs.services, clock: systemClock }
})
afterAll(() => jobs.cleanup())

/** Resolves to the export's runs once it has some and all have ended. */
async function endedRuns(exportId: string): Promise<RunRow[]> {
  const isDone = (runs: RunRow[]) => runs.length > 0 && runs.every((run) => run.finished_at !== null)
  await expect.poll(async () => isDone(await jobs.runs(exportId)), { timeout: 110_000 }).toBe(true)
  return jobs.runs(exportId)
}

function withRole(role: Role): Services {
  return { ...services, config: { ...services.config, roles: [role] } }
}

test(
  '300 missed windows become runs in one step, and the next one starts without a poll',
  { tags: ['slow'] },
  async () => {
    const row = await jobs.createExport({
      interval: 'every 5 minutes',
      scheduled_until: new Date(start - 300 * 5 * minute),
      end_at: new Date(start),
    })
    await jobs.insertEvents(
      Array.from({ length: 3000 }, (_, index) => ({ timestamp: start - index * 30_000 })),
    )
    const schedule = await startBackground(withRole('schedule'))
    await expect.poll(() => jobs.logs(row.id), { timeout: 60_000 }).not.toEqual([])
    await schedule.stop()
    expect(await jobs.logs(row.id)).toEqual([expect.stringMatching(/^Catching up: 300 runs created/)])
    const worker = openWorker(services)
    const dispatcher = openDispatcher(services, worker, hour)
    const runs = await endedRuns(row.id)
    expect(runs).toHaveLength(300)
    expect(runs.filter(({ status }) => status !== 'Completed')).toEqual([])
    await dispatcher.stop()
    await worker.stop()
  },
)

test('scheduled runs have priority over backfill runs', async () => {
  const backfilled = await jobs.createExport({ interval: 'every 5 minutes', paused: true })
  const created = await createBackfill(services, backfilled, { start: start - 200 * 5 * minute, end: start })
  expect(created.ok).toBe(true)
  const row = await jobs.createExport({ scheduled_until: new Date(start - hour), end_at: new Date(start) })
  const background = await startBackground(services)
  const [scheduled] = await endedRuns(row.id)
  await background.stop()
  await background.stop()
  const later = (await jobs.runs(backfilled.id)).filter(
    ({ finished_at }) => finished_at === null || finished_at > (scheduled?.finished_at ?? 0),
  )
  expect(later.length).toBeGreaterThan(100)
})

test('a process without the work and schedule roles neither executes nor schedules runs', async () => {
  const row = await jobs.createExport({ scheduled_until: new Date(start - hour), end_at: new Date(start) })
  const background = await startBackground(withRole('serve'))
  await background.stop()
  expect(await jobs.runs(row.id)).toEqual([])
})
