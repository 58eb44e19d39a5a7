import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { sql } from 'kysely'
import { decodeCapture } from '../capture/decode.ts'
import { openIngest } from '../capture/ingest.ts'
import { openReplayIngest } from '../capture/replay/replay-ingest.ts'
import type { Services } from '../services.ts'
import { recordedAt, recordingStarts } from './recording-times.ts'
import { withExceptions, type SentItem } from './sample-exceptions.ts'
import type { Sample } from './sample-persons.ts'

/** A recording of the sample, as described in the manifest. */
export type SampleRecording = {
  /** What the visitor does. */
  story: string
  /** Session id. */
  id: string
  seconds: number
  /** Number of events that posthog-js sent. */
  events: number
  snapshots: number
}

const folder = join(import.meta.dirname, 'recordings')
const decompress = promisify(zstdDecompress)

/** Reads the sample's recordings, oldest first. */
export async function readSampleRecordings(): Promise<SampleRecording[]> {
  const manifest: { sessions: SampleRecording[] } = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  )
  return manifest.sessions
}

/**
 * Captures the recordings as if they had taken place over the last ten days. Repeating this after an interruption
 * creates no duplicates, since every item has an id.
 */
export async function installRecordings(services: Services, { project, anchor }: Sample): Promise<void> {
  const recordings = await readSampleRecordings()
  const starts = recordingStarts(recordings, anchor)
  const lines = (await decompress(await readFile(join(folder, 'recordings.jsonl.zst'))))
    .toString()
    .split('\n')
  const recorded = lines.map((line, index) => itemsOf(line, (starts[index] ?? anchor) - recordedAt))
  const bodies = withExceptions(recorded).map((items, index) => bodiesOf(items, starts[index] ?? anchor))
  const [ingest, replayIngest] = [openIngest(services), openReplayIngest(services)]
  for (let minute = 0; bodies.some(({ length }) => length > minute); minute += 1)
    await Promise.all(
      bodies.map(async ({ [minute]: body }) => {
        if (!body) return
        const { events, replay } = await decodeCapture({ body, path: '/batch', query: {} }, anchor)
        await Promise.all([ingest.add(project, events), replayIngest.add(project, replay)])
      }),
    )
  // The recordings were captured just now, but only the last one is still ongoing. Some may have been read too early.
  const ids = recordings.slice(0, -1).map(({ id }) => id)
  await sql`UPDATE session_recordings SET last_updated_at = end_time, facts_made_at = NULL
    WHERE project_id = ${project} AND session_id = ANY (${ids}::text[])`.execute(services.store)
}

/** Returns what a recording sent, with all times moved by `shift` milliseconds. */
function itemsOf(line: string, shift: number): SentItem[] {
  const minutes: SentItem[][] = JSON.parse(shiftTimes(line, shift))
  return minutes.flat()
}

/** Returns the request bodies of a recording, one per minute from its start on. */
function bodiesOf(items: readonly SentItem[], start: number): Buffer[] {
  const minutes = Map.groupBy(items, ({ timestamp }) => Math.floor((Date.parse(timestamp) - start) / 60_000))
  return [...minutes.values()].map((batch) => Buffer.from(JSON.stringify({ api_key: 'sample', batch })))
}

const day = new Date(recordedAt).toISOString().slice(0, 10)
const isoTime = new RegExp(String.raw`${day}T\d\d:\d\d:\d\d\.\d{3}Z`, 'g')
/** A Unix timestamp in seconds or milliseconds, possibly with a fraction. */
const unixTime = new RegExp(
  String.raw`(?<![\w.-])${String(recordedAt).slice(0, 5)}\d{5}(\d{3})?(?:\.\d+)?(?![\w.-])`,
  'g',
)

function shiftTimes(text: string, shift: number): string {
  return text
    .replaceAll(isoTime, (time) => new Date(Date.parse(time) + shift).toISOString())
    .replaceAll(unixTime, (time, milliseconds?: string) =>
      String(milliseconds === undefined ? Number(time) + shift / 1000 : Number(time) + shift),
    )
}
