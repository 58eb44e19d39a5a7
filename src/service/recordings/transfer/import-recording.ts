import { createHash } from 'node:crypto'
import { decodeBody, type DecodedEvent } from '../../capture/decode.ts'
import type { CapturePrivacy } from '../../capture/private-values.ts'
import { privacySettings } from '../../store/privacy/privacy-settings.ts'
import { CaptureError } from '../../capture/capture-error.ts'
import { storeEvents } from '../../capture/ingest.ts'
import { uuidOfText } from '../../capture/persons/person-id.ts'
import { assetUrl } from '../../../replay/recorded/asset-url.ts'
import { safeText } from '../../engines/safe-text.ts'
import { conflict } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import { insertFetched } from '../../store/recordings/recording-assets.ts'
import { insertBlocks } from '../../store/recordings/recording-blocks.ts'
import { insertNote } from '../../store/recordings/recording-notes.ts'
import { storeSummary } from '../../store/recordings/recording-summaries.ts'
import { hasSession, insertRecording, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import { assetType } from '../assets/asset-type.ts'
import { storeContent } from '../assets/vault.ts'
import { ongoingMs } from '../filter/filter-rows.ts'
import { joinCounts, derivedColumns } from '../../snapshots/recording-counts.ts'
import { fileLimits, type AssetPart, type EventPart, type Header, type NotePart } from './file-parts.ts'
import { readParts, type ReadParts } from './read-parts.ts'
import { TooLargeFile } from './read-file.ts'
import { DamagedFile } from './seal.ts'

type Import = {
  projectId: number
  /** User who imports the file: its notes become theirs. */
  userId: string
  body: AsyncIterable<Buffer>
  asCopy: boolean
}

/**
 * Imports the file of a recording. The recording appears when everything in it is stored; a crash before leaves only
 * blocks without a row, which are removed a day later. The recording is kept past the retention period.
 * @throws ApiError 409 if the project has had a recording of the session; DamagedFile; TooLargeFile.
 */
export async function importRecording(services: Services, { projectId, userId, body, asCopy }: Import) {
  const { store, objects, clock } = services
  const keys: string[] = []
  let isComplete = false
  const begin = async ({ session_id }: Header): Promise<string> => {
    if (asCopy) return newId(clock.now())
    if (await hasSession(store, projectId, session_id)) throw exists()
    return session_id
  }
  try {
    const onBlock = (key: string) => void keys.push(key)
    const parts = await readParts(body, { objects, projectId, now: clock.now(), begin, onBlock })
    const checked = {
      ...parts,
      events: eventsOf(parts, asCopy, { now: clock.now(), privacy: await privacySettings(store, projectId) }),
      assets: parts.assets.map(checkedAsset),
    }
    return await store.transaction().execute(async (transaction) => {
      const row = await storeParts(services, transaction, projectId, checked)
      await storeNotes(services, transaction, row, { userId, notes: parts.notes })
      isComplete = true
      return row
    })
  } catch (error) {
    // A failing commit may have succeeded, so its blocks must stay.
    if (!isComplete) await Promise.allSettled(keys.map((key) => objects.delete(key)))
    throw error
  }
}

function exists() {
  return conflict(
    'The project has, or had, a recording of this session. Import the file as a copy (?as_copy=true) to get a second one.',
  )
}

type Checked = Omit<ReadParts, 'events' | 'assets'> & {
  events: readonly DecodedEvent[]
  assets: readonly CheckedAsset[]
}

async function storeParts(
  services: Services,
  transaction: StoreTransaction,
  projectId: number,
  { header, sessionId, blocks, assets, events, summary, ...rows }: Checked,
): Promise<RecordingRow> {
  const { warehouse, clock } = services
  const counts = blocks.map((block) => block.counts).reduce(joinCounts)
  const now = new Date(clock.now())
  const row = await insertRecording(transaction, {
    project_id: projectId,
    session_id: sessionId,
    ...counts,
    ...derivedColumns(counts),
    dropped_events: header.dropped_events,
    block_count: blocks.length,
    asset_block_count: blocks.length,
    created_at: now,
    // Not live: the session took place elsewhere.
    last_updated_at: new Date(Math.min(counts.end_time.getTime(), clock.now() - ongoingMs)),
    persisted_at: now,
  })
  if (!row) throw exists()
  const rowsOfBlocks = blocks.map(({ counts: { start_time, end_time }, ...block }, number) => {
    return { recording_id: row.id, number, start_time, end_time, items: [], ...block }
  })
  await insertBlocks(transaction, rowsOfBlocks)
  await storeAssets(services, transaction, row, assets)
  if (summary) await storeSummary(transaction, row, summary)
  const { consoleEntries, failedRequests } = rows
  await warehouse.insert('console_entries', consoleEntries.join('\n'))
  await warehouse.insert('session_failed_requests', failedRequests.join('\n'))
  if (events.length > 0) await storeEvents(services, transaction, [{ projectId, events }])
  return row
}

async function storeNotes(
  { clock }: Services,
  transaction: StoreTransaction,
  { id: recording_id, project_id }: RecordingRow,
  { userId: user_id, notes }: { userId: string; notes: readonly NotePart[] },
) {
  for (const { part: _part, at, text, author, ...times } of notes) {
    const row = {
      id: newId(clock.now()),
      recording_id,
      project_id,
      user_id,
      author: safeText(author, Infinity),
      at,
      text: safeText(text, Infinity),
      created_at: new Date(times.created_at),
      updated_at: new Date(times.updated_at),
    }
    await insertNote(transaction, row, fileLimits.notes)
  }
}

/** Reads the events as capture does. They change no person; the first adds those properties that the visitor lacks. */
function eventsOf(
  { header, sessionId, events }: ReadParts,
  asCopy: boolean,
  { now, privacy }: { now: number; privacy: CapturePrivacy },
): DecodedEvent[] {
  if (events.length === 0) return []
  const batch = events.map(({ properties, elements_chain, uuid, ...event }) => ({
    ...event,
    // Events with equal ids count once.
    uuid: asCopy ? uuidOfText(`${sessionId} ${uuid}`) : uuid,
    properties: { ...properties, $session_id: sessionId, $elements_chain: elements_chain },
  }))
  try {
    const first: Omit<EventPart, 'part'> = {
      uuid: uuidOfText(sessionId),
      event: '$set',
      distinct_id: header.distinct_id,
      timestamp: new Date(now).toISOString(),
      properties: { $set_once: header.person ?? {} },
      elements_chain: '',
    }
    const body = { value: { api_key: 'import', batch: [first, ...batch] }, depth: Infinity }
    const [person, ...decoded] = decodeBody(body, { path: '/batch', query: {}, privacy }, now).events
    if (decoded.length < events.length) throw new DamagedFile('an event is a snapshot')
    return decoded.map((event) => ({
      ...event,
      change:
        event === decoded[0] && event.distinctId === header.distinct_id ? (person?.change ?? null) : null,
    }))
  } catch (cause) {
    throw cause instanceof CaptureError ? new DamagedFile(cause.message, { cause }) : cause
  }
}

type CheckedAsset = Omit<AssetPart, 'part' | 'content'> & {
  content: { bytes: Buffer; hash: Buffer; content_type: string } | null
}

function checkedAsset({ part: _part, content, reason, ...asset }: AssetPart): CheckedAsset {
  for (const url of [asset.url, asset.final_url ?? asset.url])
    if (assetUrl(url, url) !== url) throw new DamagedFile('the address of a file is not valid')
  if (content === null)
    return { ...asset, content: null, reason: safeText(reason ?? 'The file is missing.', Infinity) }
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > fileLimits.asset) throw new TooLargeFile('a file that it shows is too large')
  const content_type = assetType(bytes, asset.is_stylesheet)
  if (content_type === null) throw new DamagedFile('a file is neither an image, a font nor a style sheet')
  const hash = createHash('sha256').update(bytes).digest()
  return { ...asset, content: { bytes, hash, content_type }, reason: null }
}

async function storeAssets(
  services: Services,
  transaction: StoreTransaction,
  recording: RecordingRow,
  assets: readonly CheckedAsset[],
) {
  const { project_id } = recording
  // All transactions lock files in this order, which prevents deadlocks.
  const contents = assets.flatMap(({ content }) => content ?? []).toSorted((a, b) => a.hash.compare(b.hash))
  for (const content of contents) {
    const stored = { ...content, size: content.bytes.length, final_url: null, isStored: false }
    await storeContent(services, transaction, project_id, stored)
  }
  const fetched_at = new Date(services.clock.now())
  const rows = assets.map(({ content, ...asset }) => ({ ...asset, hash: content?.hash ?? null, fetched_at }))
  await insertFetched(transaction, recording, rows)
}
