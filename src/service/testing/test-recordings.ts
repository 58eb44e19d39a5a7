import { createHash, randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { assetKey } from '../recordings/assets/asset-key.ts'
import { visitorWords } from '../../contract/recordings/visitor-name.ts'
import { EventType, isActive, type RecordedEvent } from '../../replay/recorded/rrweb.ts'
import { blockFolder, writeBlock } from '../snapshots/blocks.ts'
import type { SessionRecordingAssetsTable, SessionRecordingsTable } from '../store/schema/recording-tables.ts'
import { newId } from '../store/schema/identifier.ts'
import { insertRow, updateRows } from '../store/schema/rows.ts'
import { insertGroupSummary } from '../store/recordings/group-summaries.ts'
import type { LinkOwner, SharingRow } from '../store/recordings/recording-sharing.ts'
import type { RecordingRow } from '../store/recordings/session-recordings.ts'
import type { Clock } from '../clock.ts'
import type { Services } from '../services.ts'
import type { TestService } from './test-service.ts'

type RecordingPlace = {
  services: Pick<Services, 'store'>
  own: { project_id: number }
  clock: Pick<Clock, 'now'>
}

/** Inserts a recording's row into the first project; `values` override the defaults. */
export function insertRecording(
  { services, own, clock }: RecordingPlace,
  values: Partial<Insertable<SessionRecordingsTable>> = {},
): Promise<RecordingRow> {
  const start = values.start_time ?? new Date(clock.now() - 600_000)
  return insertRow(services.store, 'session_recordings', {
    project_id: own.project_id,
    session_id: crypto.randomUUID(),
    distinct_id: 'visitor',
    visitor_words: visitorWords(values.distinct_id ?? 'visitor'),
    snapshot_source: 'web',
    start_time: start,
    end_time: new Date(start.getTime() + 60_000),
    recording_duration: 60,
    active_seconds: 40,
    inactive_seconds: 20,
    activity: [start.getTime(), start.getTime() + 40_000],
    click_count: 3,
    keypress_count: 2,
    mouse_activity_count: 10,
    console_log_count: 1,
    console_warn_count: 0,
    console_error_count: 0,
    start_url: 'https://shop.example/',
    start_url_at: start,
    block_count: 0,
    created_at: start,
    last_updated_at: start,
    ...values,
  })
}

type WindowEvent = readonly [window: string, event: { timestamp: number } & Record<string, unknown>]

/** Inserts a block of a recording: its object and its row. */
export async function insertBlock(
  { services }: { services: Pick<Services, 'store' | 'objects'> },
  recording: Pick<RecordingRow, 'id' | 'project_id' | 'session_id'>,
  number: number,
  events: readonly WindowEvent[],
): Promise<void> {
  const lines = events.map((line) => JSON.stringify(line)).join('\n')
  const object_key = `${blockFolder(recording.project_id, recording.session_id)}block-${number}`
  await writeBlock(services.objects, object_key, lines)
  const times = events.map(([, event]) => event.timestamp)
  const timesOf = (isWanted: (event: RecordedEvent) => boolean) =>
    events.flatMap(([window, event]) =>
      isWanted({ type: -1, data: {}, ...event }) ? [[window, event.timestamp] as const] : [],
    )
  await insertRow(services.store, 'session_recording_blocks', {
    recording_id: recording.id,
    number,
    object_key,
    start_time: new Date(Math.min(...times)),
    end_time: new Date(Math.max(...times)),
    bytes: Buffer.byteLength(lines),
    items: [crypto.randomUUID()],
    full_snapshots: JSON.stringify(timesOf(({ type }) => type === EventType.FullSnapshot)),
    active_windows: JSON.stringify([...new Map(timesOf(isActive))]),
  })
  const change = { block_count: number + 1 }
  await updateRows(services.store, 'session_recordings', { id: recording.id }, change)
}

/** Inserts a stored file that a recording names; `values` override the defaults. Returns the id of its row. */
export async function insertAsset(
  { services }: TestService,
  recording: Pick<RecordingRow, 'id' | 'project_id'>,
  { content, content_type }: { content: string | Buffer; content_type: string },
  values: Partial<Insertable<SessionRecordingAssetsTable>> & { url: string },
): Promise<number> {
  const bytes = Buffer.from(content)
  const hash = createHash('sha256').update(bytes).digest()
  const { store, objects, clock } = services
  const { id: recording_id, project_id } = recording
  await objects.put(assetKey(project_id, hash), bytes)
  await store
    .insertInto('recorded_assets')
    .values({ project_id, hash, content_type, bytes: bytes.length })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const fetched_at = new Date(clock.now())
  const unset = { depth: 0, is_stylesheet: false, claimed_until: null, final_url: null, reason: null }
  const { id } = await insertRow(store, 'session_recording_assets', {
    recording_id,
    project_id,
    hash,
    fetched_at,
    host: new URL(values.url).host,
    ...unset,
    ...values,
  })
  return id
}

/** Inserts a summary, in progress, of all recordings of a project; returns its id. */
export async function insertRunningSummary({ services, clock }: TestService, projectId: number) {
  const id = newId(clock.now())
  const row = { id, project_id: projectId, actor: 'Test', created_at: new Date(clock.now()) }
  await insertGroupSummary(services.store, row, [], 1000)
  return id
}

/** Inserts an enabled link to a recording, besides the default one, or to a collection. */
export function insertLink({ services, clock }: TestService, owner: LinkOwner): Promise<SharingRow> {
  return insertRow(services.store, 'session_recording_sharing', {
    ...owner,
    is_default: false,
    generation: 1,
    token_hash: randomBytes(32),
    enabled: true,
    created_at: new Date(clock.now()),
  })
}
