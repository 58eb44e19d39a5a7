import { blockFolder, writeBlock } from '../../snapshots/blocks.ts'
import { joinCounts, derivedColumns, type RecordingCounts } from '../../snapshots/recording-counts.ts'
import type { Services } from '../../services.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import {
  addDroppedEvents,
  insertBlocks,
  lockRecordings,
  storedSessions,
  updateRecordings,
  type SessionKey,
} from '../../store/recordings/recording-blocks.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { openFlushQueue, type FlushEntry } from '../flush-queue.ts'
import { joinInOrder } from './item-lines.ts'
import { consoleLines, failedRequestLines, windowTimes } from './item-rows.ts'
import { moveItem, type ReplayItem } from './replay-item.ts'
import { clockAfter, type SenderClock } from './sender-clock.ts'

type Request = FlushEntry & { projectId: number; items: readonly ReplayItem[] }
/** One session's part of a flush; it becomes the session's next block. */
type Part = SessionKey & {
  items: readonly ReplayItem[]
  object_key: string
  sender_clock: SenderClock | null
}

/** Flush limits; sizes are in bytes of lines. Even with one request of maximum size, a flush fits into a block. */
const limits = { countMax: 2500, sizeMax: 16 * 1024 * 1024, waitingSizeMax: 128 * 1024 * 1024 }
/** Objects written at the same time. */
const writersMax = 16

type ReplayServices = Pick<Services, 'store' | 'warehouse' | 'objects' | 'clock'>

/** Writes captured replay, batching many requests into each flush. */
export function openReplayIngest(services: ReplayServices) {
  const enqueue = openFlushQueue<Request>(limits, (requests) => flush(services, requests))
  return {
    /**
     * Stores items durably. An item sent again counts once; items of a deleted recording are dropped.
     * @throws the engine's error; retrying the same request then stores the missing items.
     */
    async add(projectId: number, items: readonly ReplayItem[]) {
      const size = items.reduce((sum, item) => sum + item.size, 0)
      if (items.length > 0) await enqueue({ projectId, items, count: items.length, size })
    },
  }
}

async function flush(services: ReplayServices, requests: readonly Request[]): Promise<void> {
  const { store, objects, clock } = services
  await store.transaction().execute(async (transaction) => {
    const parts = (await withoutRepeats(transaction, partsOf(requests, clock.now()))).map(onOneClock)
    try {
      await writeParts(services, parts)
      if (parts.length > 0) await recordParts(services, transaction, parts)
    } catch (error) {
      // Nothing was committed. This excludes a failing commit, which may have succeeded, so its objects must stay.
      await Promise.allSettled(parts.map(({ object_key }) => objects.delete(object_key)))
      throw error
    }
  })
  // Runs after the transaction, which may create the recordings of these items.
  for (const { count, ...session } of droppedAlone(requests)) await addDroppedEvents(store, session, count)
}

/** Returns, by session, how many events were dropped with items that hold no valid one. */
function droppedAlone(requests: readonly Request[]): Iterable<SessionKey & { count: number }> {
  const sessions = new Map<string, SessionKey & { count: number }>()
  for (const { projectId, items } of requests)
    for (const { sessionId, counts, dropped } of items) {
      if (counts) continue
      const session = { project_id: projectId, session_id: sessionId }
      const key = sessionText(session)
      sessions.set(key, { ...session, count: (sessions.get(key)?.count ?? 0) + dropped })
    }
  return sessions.values()
}

/** Corrects the times of the part's items by the error of the sender's clock. */
function onOneClock(part: Part): Part {
  let clock = part.sender_clock
  const items = part.items.map((item) => {
    const { clockLag, counts } = item
    const [earliest, latest] = [counts?.start_time.getTime() ?? 0, counts?.end_time.getTime() ?? 0]
    if (clockLag !== null && counts) clock = clockAfter(clock, clockLag, { earliest, latest })
    return clock && clock.shift !== 0 ? moveItem(item, clock.shift) : item
  })
  return { ...part, items, sender_clock: clock }
}

/** Groups items that have lines by project and session, without repeats, in an order shared by all processes. */
function partsOf(requests: readonly Request[], now: number): Part[] {
  const sessions = new Map<string, SessionKey & { items: Map<string, ReplayItem> }>()
  for (const { projectId, items } of requests) {
    for (const item of items.filter(({ counts }) => counts)) {
      const key = `${projectId}/${item.sessionId}`
      const session = sessions.get(key) ?? {
        project_id: projectId,
        session_id: item.sessionId,
        items: new Map(),
      }
      sessions.set(key, session)
      if (!session.items.has(item.uuid)) session.items.set(item.uuid, item)
    }
  }
  const inOrder = [...sessions].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.map(([, { items, ...session }]) => ({
    ...session,
    items: [...items.values()],
    object_key: `${blockFolder(session.project_id, session.session_id)}${newId(now)}`,
    sender_clock: null,
  }))
}

/** Drops items that are already stored, and parts of deleted recordings. */
async function withoutRepeats(transaction: StoreTransaction, parts: readonly Part[]): Promise<Part[]> {
  const sessions = parts.map(({ project_id, session_id, items }) => ({
    project_id,
    session_id,
    items: items.map(({ uuid }) => uuid),
  }))
  const known = await storedSessions(transaction, sessions)
  const stored = new Map(known.map((session) => [sessionText(session), session]))
  return parts.flatMap((part) => {
    const session = stored.get(sessionText(part))
    if (!session) return [part]
    const repeats = new Set(session.repeats)
    const items = part.items.filter(({ uuid }) => !repeats.has(uuid))
    const sender_clock = part.sender_clock ?? session.sender_clock
    return session.deleted || items.length === 0 ? [] : [{ ...part, items, sender_clock }]
  })
}

function sessionText({ project_id, session_id }: SessionKey): string {
  return `${project_id}/${session_id}`
}

/** Writes all parts. Rejects only after every write has ended, so that none lands after the cleanup. */
async function writeParts(services: ReplayServices, parts: readonly Part[]): Promise<void> {
  const rest = parts.values()
  const write = async () => {
    for (const part of rest) await writePart(services, part)
  }
  const writers = Array.from({ length: writersMax }, write)
  await Promise.allSettled(writers)
  await Promise.all(writers)
}

async function writePart({ objects }: Pick<ReplayServices, 'objects'>, part: Part): Promise<void> {
  await writeBlock(objects, part.object_key, joinInOrder(part.items.map(({ lines }) => lines)))
}

/** Adds the written parts to their recordings, except items that another process stored in the meantime. */
async function recordParts(
  services: ReplayServices,
  transaction: StoreTransaction,
  written: readonly Part[],
) {
  const now = new Date(services.clock.now())
  const created = written.map((part) => newRecording(part, now))
  const locked = await lockRecordings(transaction, created)
  const recordings = new Map(locked.map((row) => [sessionText(row), row]))
  const parts = await withoutRepeats(transaction, written)
  await reconcileObjects(services, written, parts)
  const entries = parts.flatMap((part) => consoleLines(part, part.items))
  const requests = new Set(parts.flatMap((part) => failedRequestLines(part, part.items)))
  await services.warehouse.insert('console_entries', entries.join('\n'))
  await services.warehouse.insert('session_failed_requests', [...requests].join('\n'))
  const recorded = parts.map((part) => {
    const row = recordings.get(sessionText(part))
    if (!row) throw new Error(`the recording ${sessionText(part)} no longer exists`)
    const counts = countsOf(part)
    const joined = row.block_count === 0 ? counts : joinCounts(row, counts)
    return { part, row, counts, joined }
  })
  if (recorded.length === 0) return
  await insertBlocks(
    transaction,
    recorded.map(({ part, row, counts }) => ({
      recording_id: row.id,
      number: row.block_count,
      object_key: part.object_key,
      start_time: counts.start_time,
      end_time: counts.end_time,
      bytes: part.items.reduce((sum, item) => sum + item.size, -1),
      items: part.items.map(({ uuid }) => uuid),
      ...windowTimes(part.items),
    })),
  )
  await updateRecordings(
    transaction,
    recorded.map(({ part, row, joined }) => ({
      id: row.id,
      ...joined,
      ...derivedColumns(joined),
      dropped_events: part.items.reduce((sum, { dropped }) => sum + dropped, row.dropped_events ?? 0),
      sender_clock: part.sender_clock,
      block_count: row.block_count + 1,
      last_updated_at: updatedAt(row, now),
    })),
  )
}

/** Returns when the recording's new data arrived: later than its known data, or its path would not be computed again. */
function updatedAt({ last_updated_at }: RecordingRow, now: Date): Date {
  return now < last_updated_at ? new Date(last_updated_at.getTime() + 1) : now
}

function newRecording(part: Part, now: Date) {
  const { project_id, session_id } = part
  const counts = countsOf(part)
  return {
    project_id,
    session_id,
    ...counts,
    ...derivedColumns(counts),
    dropped_events: 0,
    sender_clock: null,
    block_count: 0,
    created_at: now,
    last_updated_at: now,
  }
}

function countsOf(part: Part): RecordingCounts {
  return part.items.flatMap(({ counts }) => counts ?? []).reduce(joinCounts)
}

/** Rewrites or deletes the objects of parts that have lost items since they were written. */
async function reconcileObjects(
  services: ReplayServices,
  written: readonly Part[],
  remaining: readonly Part[],
): Promise<void> {
  const byKey = new Map(remaining.map((part) => [part.object_key, part]))
  for (const { object_key, items } of written) {
    const part = byKey.get(object_key)
    if (!part) await services.objects.delete(object_key)
    else if (part.items.length < items.length) await writePart(services, part)
  }
}
