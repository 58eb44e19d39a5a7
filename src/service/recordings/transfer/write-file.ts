import { Readable, pipeline } from 'node:stream'
import { createZstdCompress } from 'node:zlib'
import { formatInstant } from '../../../contract/instant.ts'
import type { Services } from '../../services.ts'
import { listFetched } from '../../store/recordings/recording-assets.ts'
import { blockKeys } from '../../store/recordings/recording-blocks.ts'
import { listNotes } from '../../store/recordings/recording-notes.ts'
import { personsOf } from '../../store/recordings/recording-persons.ts'
import { findSummary } from '../../store/recordings/recording-summaries.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { assetKey } from '../assets/asset-key.ts'
import { LostBlock, readBlock } from '../../snapshots/blocks.ts'
import { eventsOfSession, readProperties } from '../session-events.ts'
import { fileLimits, fileVersion, type FilePart } from './file-parts.ts'
import { withSeal } from './seal.ts'
import { countsOf } from '../recording-counts.ts'

type FileServices = Pick<Services, 'store' | 'warehouse' | 'objects' | 'logger'>

/** Streams a recording as a file: lines of JSON, compressed with zstd. One block is in memory at a time. */
export function recordingFile(services: FileServices, recording: RecordingRow): Readable {
  const compressed = createZstdCompress()
  // The reader of `compressed` receives a failure.
  pipeline(Readable.from(linesOf(services, recording)), compressed, () => undefined)
  return Readable.from(withSeal(compressed), { objectMode: false })
}

async function* linesOf(services: FileServices, recording: RecordingRow): AsyncGenerator<Buffer | string> {
  yield line(await header(services, recording))
  yield* blocks(services, recording)
  yield* events(services, recording)
  yield* assets(services, recording)
  const summary = await findSummary(services.store, recording)
  if (summary) yield line({ part: 'summary', ...summary })
  for (const { at, text, author, ...times } of await listNotes(services.store, recording.id)) {
    const [created_at, updated_at] = [formatInstant(times.created_at), formatInstant(times.updated_at)]
    yield line({ part: 'note', at, text, author, created_at, updated_at })
  }
}

function line(part: FilePart): string {
  return `${JSON.stringify(part)}\n`
}

async function header({ store }: FileServices, row: RecordingRow): Promise<FilePart> {
  const { session_id, distinct_id, snapshot_source, dropped_events } = row
  const persons = await personsOf(store, row.project_id, [distinct_id])
  return {
    part: 'recording',
    version: fileVersion,
    session_id,
    distinct_id,
    snapshot_source,
    dropped_events,
    person: persons.get(distinct_id)?.properties ?? null,
    numbers: {
      start_time: formatInstant(row.start_time),
      end_time: formatInstant(row.end_time),
      recording_duration: row.recording_duration,
      ...countsOf(row),
      start_url: row.start_url,
    },
  }
}

/** A lost block has no lines, as in the player. */
async function* blocks({ store, objects, logger }: FileServices, { id, block_count }: RecordingRow) {
  for (const key of await blockKeys(store, id, 0, block_count - 1)) {
    try {
      const lines = await readBlock(objects, key)
      yield line({ part: 'block' })
      yield lines
      yield '\n'
    } catch (error) {
      if (!(error instanceof LostBlock)) throw error
      logger.error({ err: error }, 'failed to read a block for the file of a recording')
    }
  }
}

async function* events({ warehouse }: FileServices, { project_id, session_id }: RecordingRow) {
  const session = { projectId: project_id, sessionId: session_id }
  for (const { time, properties, ...event } of await eventsOfSession(warehouse, session, fileLimits.events)) {
    const timestamp = new Date(Number(time)).toISOString()
    yield line({ part: 'event', ...event, timestamp, properties: readProperties(properties) })
  }
}

async function* assets({ store, objects }: FileServices, { id, project_id }: RecordingRow) {
  for (const { hash, ...asset } of await listFetched(store, id)) {
    const bytes = hash && (await objects.get(assetKey(project_id, hash)))
    const reason = bytes ? null : (asset.reason ?? 'The file has been deleted.')
    yield line({ part: 'asset', ...asset, content: bytes?.toString('base64') ?? null, reason })
  }
}
