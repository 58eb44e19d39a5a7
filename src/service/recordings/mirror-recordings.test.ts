import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personIdOf } from '../capture/persons/person-id.ts'
import { storeFacts } from '../store/recordings/recording-facts.ts'
import type { RecordingRow } from '../store/recordings/session-recordings.ts'
import type { StoredFacts } from '../store/schema/facts-tables.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  hour,
  jobs,
  openTestExports,
  read,
  rowsOf,
  run,
  start,
  time,
} from '../testing/test-exports.ts'
import { insertRecording } from '../testing/test-recordings.ts'
import { deleteRecordings } from './delete-recordings.ts'
import { mirrorRecordings } from './mirror-recordings.ts'

const minute = 60_000

const facts: StoredFacts = {
  pages: [{ label: 'Lamps', url: 'https://shop.example/lamps', at: 0 }],
  page_count: 1,
  outcome: { kind: 'left', label: 'Lamps', at: 58_000 },
  problems: [{ kind: 'error', label: 'No lamp', at: 30_000 }],
  strip: [],
  moment: 30_000,
  browser: 'Firefox',
  os: 'Linux',
  device: 'desktop',
  country: null,
  summary: 'A visitor left.',
  rage_click_count: 0,
  left_form: false,
  time: [],
}

beforeAll(() => openTestExports())
afterAll(closeTestExports)
beforeEach(async () => {
  jobs.clock.time = start
  await forgetArrivals(jobs.services.store)
  await sql`DELETE FROM session_recordings`.execute(jobs.services.store)
  const params = { team: jobs.projectId }
  await jobs.services.warehouse.command('DELETE FROM recordings WHERE team_id = {team: Int64}', { params })
})

/** Inserts a recording whose last data has just arrived. */
function newRecording(session_id: string): Promise<RecordingRow> {
  const place = { services: jobs.services, own: { project_id: jobs.projectId }, clock: jobs.clock }
  const [start_time, last_updated_at] = [new Date(jobs.clock.time - minute), new Date(jobs.clock.time)]
  return insertRecording(place, { session_id, start_time, last_updated_at, failed_request_count: 2 })
}

/** Moves the clock and mirrors all that is due. */
async function mirrorAt(at: number): Promise<number> {
  jobs.clock.time = at
  return await mirrorRecordings(jobs.services)
}

/** Adds data to a recording. */
async function continueAt({ id }: RecordingRow, at: number): Promise<RecordingRow> {
  return await jobs.services.store
    .updateTable('session_recordings')
    .set({ last_updated_at: new Date(at), end_time: new Date(at), click_count: 9 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the sessions and clicks that a run of the hour from `from` exports. */
async function exported(from: number, change: Parameters<typeof run>[1] = {}) {
  const row = await createFileExport({ path: `recordings-${Math.random()}` }, { model: 'recordings' })
  const window = { data_interval_start: new Date(from), data_interval_end: new Date(from + hour) }
  const result = await run(row, { ...window, ...change })
  const [file] = result.files
  const rows = file === undefined ? [] : await rowsOf(await read('File', file), 'JSONLines', file)
  expect(result.records).toBe(rows.length)
  return rows.map((row) => [row['session_id'], row['click_count']])
}

test.each(['File', 'S3'] as const)('an export to %s writes each column of a recording', async (type) => {
  const recording = await newRecording(`all-${type}`)
  await storeFacts(jobs.services.store, recording, facts)
  expect(await mirrorAt(start + 5 * minute)).toBe(1)
  jobs.clock.time = start + 2 * hour
  const change = { model: 'recordings' as const }
  const row =
    type === 'File'
      ? await createFileExport({ path: 'all' }, change)
      : { ...(await createS3Export({ prefix: 'all' })), ...change }
  const { files } = await run(row)
  expect(await rowsOf(await read(type, files[0] ?? ''), 'JSONLines', '.jsonl')).toEqual([
    {
      session_id: `all-${type}`,
      distinct_id: 'visitor',
      person_id: personIdOf(jobs.projectId, 'visitor'),
      start_time: time(start - minute),
      end_time: time(start),
      duration: 60,
      active_seconds: 40,
      inactive_seconds: 20,
      click_count: 3,
      keypress_count: 2,
      mouse_activity_count: 10,
      console_log_count: 1,
      console_warn_count: 0,
      console_error_count: 0,
      failed_request_count: 2,
      start_url: 'https://shop.example/',
      pages: facts.pages,
      outcome: facts.outcome,
      problems: facts.problems,
      browser: 'Firefox',
      os: 'Linux',
      device: 'desktop',
      country: null,
      summary: 'A visitor left.',
      snapshot_source: 'web',
      version: start,
      inserted_at: time(start + 5 * minute),
    },
  ])
})

test('a recording waits five minutes after its last data, and ten for its facts', async () => {
  const recording = await newRecording('waits')
  await storeFacts(jobs.services.store, recording, facts)
  await newRecording('without facts')
  expect(await mirrorAt(start + 5 * minute - 1)).toBe(0)
  expect(await mirrorAt(start + 5 * minute)).toBe(1)
  expect(await mirrorAt(start + 10 * minute - 1)).toBe(0)
  expect(await mirrorAt(start + 10 * minute)).toBe(1)
  expect(await mirrorAt(start + hour)).toBe(0)
})

test('a session that continues is exported again, in the window of its next version', async () => {
  const recording = await newRecording('continues')
  await storeFacts(jobs.services.store, recording, facts)
  await mirrorAt(start + 5 * minute)
  await continueAt(recording, start + hour)
  expect(await mirrorAt(start + hour + 10 * minute)).toBe(1)
  jobs.clock.time = start + 3 * hour
  expect(await exported(start)).toEqual([['continues', 3]])
  expect(await exported(start + hour)).toEqual([['continues', 9]])
  expect(await exported(start + 2 * hour)).toEqual([])
  // A backfill by time writes the latest version in the hour in which the session began.
  expect(await exported(start - hour, { selects_by: 'time' })).toEqual([['continues', 9]])
  expect(await exported(start, { selects_by: 'time' })).toEqual([])
})

test('two processes mirror each version once, and one that is repeated stays in its first window', async () => {
  const recordings = await Promise.all(['a', 'b', 'c'].map((id) => newRecording(`once-${id}`)))
  for (const recording of recordings) await storeFacts(jobs.services.store, recording, facts)
  jobs.clock.time = start + 5 * minute
  // Each takes the rows that the other has not locked yet.
  const [one, other] = await Promise.all([mirrorRecordings(jobs.services), mirrorRecordings(jobs.services)])
  expect(one + other).toBe(3)
  // A process that is killed before its commit has inserted the rows, but not marked them.
  await sql`UPDATE session_recordings SET mirrored_at = NULL`.execute(jobs.services.store)
  expect(await mirrorAt(start + hour + minute)).toBe(3)
  jobs.clock.time = start + 3 * hour
  expect((await exported(start)).toSorted()).toEqual([
    ['once-a', 3],
    ['once-b', 3],
    ['once-c', 3],
  ])
  expect(await exported(start + hour)).toEqual([])
})

test('a deleted recording is not exported any more', async () => {
  const recording = await newRecording('deleted')
  await storeFacts(jobs.services.store, recording, facts)
  await mirrorAt(start + 5 * minute)
  await deleteRecordings(jobs.services, [recording.id])
  expect(await mirrorAt(start + hour)).toBe(0)
  expect(await exported(start)).toEqual([])
})

test('a query selects columns and properties of recordings', async () => {
  await storeFacts(jobs.services.store, await newRecording('queried'), facts)
  await mirrorAt(start + 5 * minute)
  jobs.clock.time = start + 2 * hour
  const hogql_query = 'SELECT session_id, outcome.kind AS outcome FROM recordings WHERE duration > 30'
  const row = await createFileExport({ path: 'queried' }, { model: 'recordings', hogql_query })
  const { files } = await run(row)
  expect(await rowsOf(await read('File', files[0] ?? ''), 'JSONLines', '.jsonl')).toEqual([
    { session_id: 'queried', outcome: 'left' },
  ])
})
