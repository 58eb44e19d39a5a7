import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIngest } from '../capture/ingest.ts'
import { tick } from '../background/scheduler.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'
import { openWorker } from './worker.ts'

const minute = 60_000
const start = Date.UTC(2026, 2, 10, 12)
const requests = 250
const eventsPerRequest = 7

let jobs: TestJobs
beforeAll(async () => {
  jobs = await testJobs(start)
})
afterAll(() => jobs.cleanup())

test('every event captured around the ends of windows is in exactly one file', async () => {
  const { services, clock } = jobs
  const row = await jobs.createExport({ interval: 'every 5 minutes', scheduled_until: new Date(start) })
  const ingest = openIngest(services)
  const worker = openWorker(services)
  const captured: string[] = []
  const capturing: Promise<void>[] = []
  for (let request = 0; request < requests; request += 1) {
    const events = Array.from({ length: eventsPerRequest }, () => ({
      uuid: randomUUID(),
      event: 'captured',
      distinctId: 'someone',
      // Some are late or early: scheduled runs select events by arrival.
      timestamp: clock.now() + Math.round((Math.random() - 0.8) * 60 * minute),
      properties: '{}',
      sessionId: '',
      elementsChain: '',
      change: null,
    }))
    captured.push(...events.map(({ uuid }) => uuid))
    capturing.push(ingest.add(jobs.projectId, events))
    if (request % 10 === 0) capturing.push(ingest.add(jobs.projectId, events))
    clock.time += 900 + Math.round(Math.random() * 9000)
    await tick(services)
    for (const run of await jobs.runs(row.id)) if (run.status === 'Starting') await worker.work(run.id)
  }
  await Promise.all(capturing)
  clock.time += 10 * minute
  await tick(services)
  for (const run of await jobs.runs(row.id)) await worker.work(run.id)

  const runs = await jobs.runs(row.id)
  expect(runs.length).toBeGreaterThan(3)
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'Completed'))
  const files = await Promise.all(
    runs.flatMap((run) => run.files).map((file) => readFile(join(jobs.folder, file), 'utf8')),
  )
  const exported = files.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line): string => JSON.parse(line).uuid),
  )
  expect(exported.toSorted()).toEqual(captured.toSorted())
  expect(runs.reduce((sum, run) => sum + run.records_completed, 0)).toBe(captured.length)
}, 120_000)
