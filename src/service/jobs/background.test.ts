import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackfill } from './backfill.ts'
import { startBackground } from './background.ts'
import { systemClock } from '../clock.ts'
import type { Services } from '../services.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'

const minute = 60_000
const hour = 60 * minute
/** The timers run by the real clock, so the windows are those of now. */
const start = Math.floor(Date.now() / hour) * hour

let jobs: TestJobs
let services: Services
beforeAll(async () => {
  jobs = await testJobs(Date.now())
  services = { ...jobs.services, clock: systemClock }
})
afterAll(() => jobs.cleanup())

async function untilAllEnded(exportId: string): Promise<void> {
  for (;;) {
    const runs = await jobs.runs(exportId)
    if (runs.length > 0 && runs.every((run) => run.finished_at !== null)) return
    await delay(50)
  }
}

test('three hundred windows that were missed are made up for within seconds', async () => {
  const row = await jobs.createExport({
    interval: 'every 5 minutes',
    scheduled_until: new Date(start - 300 * 5 * minute),
    end_at: new Date(start),
  })
  await jobs.insertEvents(Array.from({ length: 3000 }, (_, index) => ({ timestamp: start - index * 30_000 })))
  const began = performance.now()
  const background = await startBackground(services)
  await untilAllEnded(row.id)
  console.info(`300 runs took ${Math.round(performance.now() - began)} ms`)
  expect(performance.now() - began).toBeLessThan(30_000)
  const runs = await jobs.runs(row.id)
  expect(runs).toHaveLength(300)
  expect(runs.filter(({ status }) => status !== 'Completed')).toEqual([])
  await background.stop()
  await background.stop()
}, 60_000)

test('runs of the schedule go before those of a backfill', async () => {
  const filling = await jobs.createExport({ interval: 'every 5 minutes', paused: true })
  const created = await createBackfill(services, filling, { start: start - 200 * 5 * minute, end: start })
  expect(created.ok).toBe(true)
  const row = await jobs.createExport({ scheduled_until: new Date(start - hour), end_at: new Date(start) })
  const background = await startBackground(services)
  await untilAllEnded(row.id)
  const open = (await jobs.runs(filling.id)).filter(({ finished_at }) => finished_at === null)
  expect(open.length).toBeGreaterThan(100)
  await background.stop()
}, 60_000)

test('a process without the role works on nothing and schedules nothing', async () => {
  const row = await jobs.createExport({ scheduled_until: new Date(start - hour), end_at: new Date(start) })
  const background = await startBackground({ ...services, config: { ...services.config, roles: ['serve'] } })
  await background.stop()
  expect(await jobs.runs(row.id)).toEqual([])
})
