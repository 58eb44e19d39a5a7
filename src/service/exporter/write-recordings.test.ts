import { Readable } from 'node:stream'
import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventType } from '../../replay/recorded/rrweb.ts'
import { deleteRecordings } from '../recordings/delete-recordings.ts'
import { mirrorRecordings } from '../recordings/mirror-recordings.ts'
import { importRecording } from '../recordings/transfer/import-recording.ts'
import { recordingFile } from '../recordings/transfer/write-file.ts'
import { findRecording, type RecordingRow } from '../store/recordings/session-recordings.ts'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  destinations,
  hour,
  jobs,
  list,
  openTestExports,
  read,
  run,
  runRow,
  start,
} from '../testing/test-exports.ts'
import { insertBlock, insertRecording } from '../testing/test-recordings.ts'
import { exportRun } from './export-run.ts'
import { tick } from '../background/scheduler.ts'
import { openWorker } from '../runs/worker.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'

const minute = 60_000

beforeAll(() => openTestExports())
afterAll(closeTestExports)

let last = start

/** Returns the start of an hour after all earlier ones and the exports of their windows. */
function nextHour(): number {
  return (last += 4 * hour)
}

/** Inserts a recording with a block of this content, which arrives in an hour of its own; returns the hour's start too. */
async function newRecording(session_id: string, text = 'A lamp') {
  const from = nextHour()
  jobs.clock.time = from
  const place = { services: jobs.services, own: { project_id: jobs.projectId }, clock: jobs.clock }
  const times = { start_time: new Date(from - minute), last_updated_at: new Date(from) }
  const recording = await insertRecording(place, { session_id, ...times })
  await addBlock(recording, 0, text)
  await mirrorAt(from + 10 * minute)
  return { recording, from }
}

async function addBlock(recording: RecordingRow, number: number, text: string): Promise<void> {
  const at = recording.start_time.getTime() + number * 1000
  const meta = {
    type: EventType.Meta,
    timestamp: at,
    data: { href: 'https://shop.example/', width: 1, height: 1 },
  }
  const note = { type: EventType.Custom, timestamp: at + 1, data: { tag: 'note', payload: { text } } }
  await insertBlock(jobs, recording, number, [
    ['w1', meta],
    ['w1', note],
  ])
}

async function mirrorAt(at: number): Promise<void> {
  jobs.clock.time = at
  await mirrorRecordings(jobs.services)
}

async function exportOf(
  type: (typeof destinations)[number],
  place: string,
  config: object = {},
  columns: Partial<BatchExportRow> = {},
) {
  const change = { model: 'recordings' as const, ...columns }
  const blocks = { include_blocks: true, ...config }
  return type === 'File'
    ? await createFileExport({ path: place, ...blocks }, change)
    : { ...(await createS3Export({ prefix: place, ...blocks })), ...change }
}

const window = (from: number) => {
  jobs.clock.time = Math.max(jobs.clock.time, from + 2 * hour)
  return { data_interval_start: new Date(from), data_interval_end: new Date(from + hour) }
}

/** Returns the lines of the file of a recording. */
async function linesOf({ project_id, session_id }: RecordingRow): Promise<string[]> {
  const recording = await findRecording(jobs.services.store, project_id, session_id)
  if (!recording) throw new Error('the recording does not exist')
  const chunks = await Array.fromAsync(recordingFile(jobs.services, recording) as AsyncIterable<Buffer>)
  return contentOf(Buffer.concat(chunks))
}

function contentOf(file: Buffer): string[] {
  return zstdDecompressSync(file).toString().split('\n')
}

test.each(destinations)(
  'an export to %s with blocks writes a file per session, whose import is the same recording',
  async (type) => {
    const { recording, from } = await newRecording(`session:${type}`)
    const row = await exportOf(type, `blocks-${type}`)
    const result = await run(row, window(from))
    const [rows = '', file = ''] = result.files
    expect(file).toMatch(new RegExp(`^blocks-${type}/.+_recordings/session%3A${type}\\.json\\.zst$`))
    expect(rows.replace('.jsonl', `_recordings/session%3A${type}.json.zst`)).toBe(file)
    expect(result).toMatchObject({ records: 1, total: 1 })
    expect(result.objects.map(({ key, holds }) => [key, holds])).toEqual([
      [rows, 'rows'],
      [file, 'attachment'],
    ])
    const bytes = await read(type, file)
    expect(result.bytes).toBe(bytes.length + (await read(type, rows)).length)

    const { organization_id } = await jobs.services.store
      .selectFrom('projects')
      .select('organization_id')
      .where('id', '=', jobs.projectId)
      .executeTakeFirstOrThrow()
    const other = { organization_id, name: 'Other', api_token: crypto.randomUUID(), created_at: new Date() }
    const { id: projectId } = await jobs.services.store
      .insertInto('projects')
      .values(other)
      .returning('id')
      .executeTakeFirstOrThrow()
    const body = Readable.from([bytes])
    const imported = await importRecording(jobs.services, { projectId, userId: '', body, asCopy: false })
    const [, ...lines] = await linesOf(recording)
    const [, ...importedLines] = await linesOf(imported)
    expect(importedLines).toEqual(lines)
    expect(lines.join('')).toContain('A lamp')
  },
)

test.each(destinations)(
  'another attempt replaces the files, and a session that continues is written again: %s',
  async (type) => {
    const { recording, from } = await newRecording(`continues-${type}`)
    const row = await exportOf(type, `again-${type}`)
    const first = await run(row, window(from))
    await addBlock(recording, 1, 'A second lamp')
    const second = await run(row, window(from))
    expect(second.files).toEqual(first.files)
    expect(await list(type, `again-${type}/`)).toEqual(first.files.toSorted())
    expect(contentOf(await read(type, second.files[1] ?? '')).join('')).toContain('A second lamp')

    const later = nextHour()
    await jobs.services.store
      .updateTable('session_recordings')
      .set({ last_updated_at: new Date(later) })
      .where('id', '=', recording.id)
      .execute()
    await mirrorAt(later + 10 * minute)
    const { files } = await run(row, window(later))
    expect(files).toHaveLength(2)
    expect(files).not.toEqual(first.files)
  },
)

test.each(destinations)('a session id that encodes to more than a file name holds: %s', async (type) => {
  const { from } = await newRecording(type.padStart(100, ':'))
  const { files } = await run(await exportOf(type, `colons-${type}`), window(from))
  expect(files).toHaveLength(2)
  expect(await list(type, `colons-${type}/`)).toEqual(files.toSorted())
})

test.each(destinations)('a recording larger than a part of an upload is written whole: %s', async (type) => {
  const text = randomBytes(9 * 1024 ** 2).toString('base64')
  const { recording, from } = await newRecording(`large-${type}`, text)
  const { files } = await run(await exportOf(type, `large-${type}`), window(from))
  const lines = contentOf(await read(type, files[1] ?? ''))
  // A difference of this size would fill the screen.
  expect(lines.join('\n') === (await linesOf(recording)).join('\n')).toBe(true)
})

test('a recording that was deleted is left out, and the log of the run says so', async () => {
  const { recording, from } = await newRecording('deleted')
  const { store } = jobs.services
  // The row of a deletion that has not reached the warehouse yet.
  await store
    .updateTable('session_recordings')
    .set({ deleted_at: new Date(from) })
    .where('id', '=', recording.id)
    .execute()
  const row = await exportOf('File', 'deleted', {}, { scheduled_until: new Date(from) })
  const result = await run(row, window(from))
  expect(result).toMatchObject({ records: 1, deleted: 1 })
  expect(result.files).toHaveLength(1)
  await tick(jobs.services)
  const worker = openWorker(jobs.services)
  for (const { id } of await jobs.runs(row.id)) await worker.work(id)
  await worker.stop()
  expect(await jobs.logs(row.id)).toContain('Left out the blocks of 1 recording that had been deleted.')
  await deleteRecordings(jobs.services, [recording.id])
})

test('without the option, and for other models, no blocks are written', async () => {
  const { from } = await newRecording('plain')
  expect(
    (await run(await exportOf('File', 'plain', { include_blocks: false }), window(from))).files,
  ).toHaveLength(1)
  const events = await createFileExport({ path: 'events', include_blocks: true })
  expect((await run(events, window(from))).files).toEqual([])
})

test('a query chooses the recordings whose blocks are written', async () => {
  const { from } = await newRecording('chosen')
  const row = {
    ...(await exportOf('File', 'chosen')),
    hogql_query: "SELECT session_id FROM recordings WHERE session_id = 'other'",
  }
  expect(await run(row, window(from))).toMatchObject({ records: 0, files: [] })
})

test('aborting stops the run before the next recording and leaves no rows', async () => {
  const { from } = await newRecording('aborted')
  const controller = new AbortController()
  const row = await exportOf('File', 'aborted')
  const running = exportRun(jobs.services, row, runRow(row, window(from)), {
    onProgress: ({ records }) => {
      if (records > 0) controller.abort('enough')
    },
    signal: controller.signal,
  })
  await expect(running).rejects.toBe('enough')
  expect((await list('File', 'aborted')).filter((key) => key.endsWith('.jsonl'))).toEqual([])
})

test('a failing destination fails the attempt with its reason', async () => {
  const { from } = await newRecording('refused')
  const row = await exportOf('S3', 'refused', { bucket_name: 'missing' })
  const error = await run(row, window(from)).catch((cause: unknown) => cause)
  expect(String(error)).toContain('NoSuchBucket')
})
