import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'
import { findErrorClusters } from '../recordings/error-clusters.ts'
import { readNewRecordings } from '../recordings/descriptions/read-new-recordings.ts'
import type { Services } from '../services.ts'
import { installRecordings, readSampleRecordings, type SampleRecording } from './install-recordings.ts'
import { recordingStarts } from './recording-times.ts'

const anchor = Date.UTC(2026, 5, 17, 15, 42, 10)
const minute = 60_000
const day = 24 * 60 * minute

let jobs: TestJobs
let recordings: SampleRecording[]

beforeAll(async () => {
  jobs = await testJobs(anchor)
  recordings = await readSampleRecordings()
})

afterAll(() => jobs.cleanup())

test('an interrupted installation is completed at the next start, without duplicates', async () => {
  const { services, projectId } = jobs
  let puts = 0
  const failing: Services = {
    ...services,
    objects: {
      ...services.objects,
      put: (key, body) =>
        (puts += 1) > 50 ? Promise.reject(new Error('killed')) : services.objects.put(key, body),
    },
  }
  await expect(installRecordings(failing, { project: projectId, anchor })).rejects.toThrow('killed')
  await installRecordings(services, { project: projectId, anchor })
  const once = await storedRecordings()
  await installRecordings(services, { project: projectId, anchor })
  expect(await storedRecordings()).toEqual(once)
  expect(once.map(({ id, events, snapshots }) => ({ id, events, snapshots }))).toEqual(
    recordings.map(({ id, events, snapshots }) => ({ id, events, snapshots })),
  )
})

test('each kind of exception occurs in nine recordings, and most recordings have none', async () => {
  const { services, projectId } = jobs
  const kinds = (await findErrorClusters(services, projectId)).filter(
    ({ sample }) => !sample.startsWith('Coupon'),
  )
  expect(kinds.map(({ uniqueSessions }) => uniqueSessions)).toEqual([9, 9, 9])
  const concerned = new Set(kinds.flatMap(({ sessions }) => sessions.map(({ id }) => id)))
  expect(concerned.size).toBeLessThan(recordings.length / 2)
})

test('the recordings took place in the last ten days, and only the newest is ongoing', async () => {
  const rows = await storedRecordings()
  const newest = rows.at(-1)
  expect(anchor - (rows[0]?.start ?? 0)).toBeLessThan(11 * day)
  expect(anchor - (rows[0]?.start ?? 0)).toBeGreaterThan(8 * day)
  expect(Math.abs(anchor - (newest?.end ?? 0))).toBeLessThan(2000)
  expect(rows.filter(({ end, updated }) => updated !== end)).toEqual([newest])
  for (const { start, firstEvent } of rows) {
    expect(Math.abs(firstEvent - start)).toBeLessThan(2000)
  }
})

test('the facts of the newest recordings tell how they ended', async () => {
  const { services, projectId } = jobs
  for (let batch = 0; batch < 3; batch += 1) await readNewRecordings(services)
  const rows = await services.store
    .selectFrom('recording_facts as facts')
    .innerJoin('session_recordings as recording', 'recording.id', 'facts.recording_id')
    .select(['session_id', 'outcome'])
    .where('recording.project_id', '=', projectId)
    .execute()
  const stories = new Map(recordings.map(({ id, story }) => [id, story]))
  const told = rows.map(({ session_id, outcome }) => ({ story: stories.get(session_id) ?? '', outcome }))
  const ofStories = (words: RegExp) =>
    new Set(told.filter(({ story }) => words.test(story)).map(({ outcome }) => outcome))
  expect(told).toHaveLength(12)
  expect([/buys/i, /leaves|nothing/, /Rage|in vain/].map(ofStories)).toEqual(
    ['completed', 'left', 'error'].map((outcome) => new Set([outcome])),
  )
})

test('visitors who bought, subscribed or signed in have an e-mail address', async () => {
  const stored = await jobs.services.store
    .selectFrom('persons')
    .select('properties')
    .where('project_id', '=', jobs.projectId)
    .execute()
  const emails = stored.map(({ properties }) => properties['email']).filter(Boolean)
  expect(emails).toContain('ada.adler@example.com')
  expect(new Set(emails).size).toBe(emails.length)
  expect(emails).toHaveLength(13)
})

test('the recordings contain no password and no card number', async () => {
  const file = join(import.meta.dirname, 'recordings/recordings.jsonl.zst')
  const text = zstdDecompressSync(await readFile(file)).toString()
  expect(text).toContain('ada.adler@example.com')
  expect(text).not.toMatch(/brass-and-linen|4000 1234/)
})

test('the recordings start in order and end before any installation time', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2099-01-01'), noInvalidDate: true }),
      (now) => {
        const starts = recordingStarts(recordings, now.getTime())
        expect(starts).toHaveLength(recordings.length)
        expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b))
        for (const [index, { seconds }] of recordings.entries()) {
          expect((starts[index] ?? 0) + seconds * 1000).toBeLessThanOrEqual(now.getTime())
        }
      },
    ),
  )
})

/** Returns the stored data of each recording, oldest first. */
async function storedRecordings() {
  const { services, projectId } = jobs
  const recordings = await services.store
    .selectFrom('session_recordings')
    .innerJoin('session_recording_blocks', 'recording_id', 'session_recordings.id')
    .select((rows) => [
      'session_id',
      'session_recordings.start_time',
      'session_recordings.end_time',
      'last_updated_at',
      rows.fn.sum<number>(rows.fn('cardinality', ['items'])).as('snapshots'),
    ])
    .where('project_id', '=', projectId)
    .groupBy('session_recordings.id')
    .orderBy('session_recordings.start_time')
    .execute()
  const events = await services.warehouse.query<{ session_id: string; events: number; first: number }>(
    `SELECT session_id, count() AS events, toUnixTimestamp64Milli(min(timestamp)) AS first FROM events FINAL
     WHERE team_id = {projectId: Int64} AND event != '$exception' GROUP BY session_id`,
    { params: { projectId } },
  )
  const bySession = new Map(events.map((row) => [row.session_id, row]))
  return recordings.map(({ session_id, start_time, end_time, last_updated_at, snapshots }) => ({
    id: session_id,
    start: start_time.getTime(),
    end: end_time.getTime(),
    updated: last_updated_at.getTime(),
    snapshots: Number(snapshots),
    events: bySession.get(session_id)?.events ?? 0,
    firstEvent: bySession.get(session_id)?.first ?? 0,
  }))
}
