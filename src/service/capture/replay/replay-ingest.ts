import { blockFolder, writeBlock } from '../../recordings/replay/blocks.ts'
import { joinFigures, replayLengths, type ReplayFigures } from '../../recordings/replay/replay-figures.ts'
import type { Services } from '../../services.ts'
import type { StoreTransaction } from '../../store/database.ts'
import { newId } from '../../store/identifier.ts'
import {
  insertBlocks,
  lockRecordings,
  storedSessions,
  updateRecordings,
  type SessionKey,
} from '../../store/recording-blocks.ts'
import { insertColumns } from '../../warehouse/tables.ts'
import { openFlushQueue, type FlushEntry } from '../flush-queue.ts'
import type { ReplayItem } from './replay-item.ts'

type Request = FlushEntry & { projectId: number; items: readonly ReplayItem[] }
/** What a flush brings to one session: its next block. */
type Part = SessionKey & { items: readonly ReplayItem[]; object_key: string }

/** Sizes in bytes of lines. With one request of the largest kind, a flush stays below the largest block. */
const limits = { countMax: 2500, sizeMax: 16 * 1024 * 1024, waitingSizeMax: 128 * 1024 * 1024 }
/** Objects that are written at once. */
const writersMax = 16

export type ReplayIngest = {
  /**
   * Resolves when the items are durable. An item sent again counts once; items of a deleted recording are dropped.
   * @throws what the engine threw; the same request sent again then stores what is missing.
   */
  add(projectId: number, items: readonly ReplayItem[]): Promise<void>
}

type ReplayServices = Pick<Services, 'store' | 'warehouse' | 'objects' | 'clock'>

/** Writes the captured parts of session recordings, many requests at once, one flush after the other. */
export function openReplayIngest(services: ReplayServices): ReplayIngest {
  const enqueue = openFlushQueue<Request>(limits, (requests) => flush(services, requests))
  return {
    add(projectId, items) {
      if (items.length === 0) return Promise.resolve()
      const size = items.reduce((sum, item) => sum + item.size, 0)
      return enqueue({ projectId, items, count: items.length, size })
    },
  }
}

async function flush(services: ReplayServices, requests: readonly Request[]): Promise<void> {
  const { store, objects, clock } = services
  await store.transaction().execute(async (transaction) => {
    const parts = await withoutRepeats(transaction, partsOf(requests, clock.now()))
    try {
      await writeParts(services, parts)
      if (parts.length > 0) await record(services, transaction, parts)
    } catch (error) {
      // Nothing is committed then. A commit that fails may have happened all the same, so that one removes nothing.
      await Promise.allSettled(parts.map(({ object_key }) => objects.delete(object_key)))
      throw error
    }
  })
}

/** By project and session, in an order that every process keeps; an item that came twice is there once. */
function partsOf(requests: readonly Request[], now: number): Part[] {
  const sessions = new Map<string, SessionKey & { items: Map<string, ReplayItem> }>()
  for (const { projectId, items } of requests) {
    for (const item of items) {
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
  return [...sessions.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { project_id, session_id, items }]) => ({
      project_id,
      session_id,
      items: [...items.values()],
      object_key: `${blockFolder(project_id, session_id)}${newId(now)}`,
    }))
}

/** What is left of the parts without items that are stored already, and without deleted recordings. */
async function withoutRepeats(transaction: StoreTransaction, parts: readonly Part[]): Promise<Part[]> {
  const asked = parts.map(({ project_id, session_id, items }) => ({
    project_id,
    session_id,
    items: items.map(({ uuid }) => uuid),
  }))
  const stored = new Map(
    (await storedSessions(transaction, asked)).map((session) => [sessionText(session), session]),
  )
  return parts.flatMap((part) => {
    const session = stored.get(sessionText(part))
    if (!session) return [part]
    const repeats = new Set(session.repeats)
    const items = part.items.filter(({ uuid }) => !repeats.has(uuid))
    return session.deleted || items.length === 0 ? [] : [{ ...part, items }]
  })
}

function sessionText({ project_id, session_id }: SessionKey): string {
  return `${project_id}/${session_id}`
}

/** Rejects when all that was begun has ended, so that what is removed then is not written after it. */
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
  const lines = part.items.flatMap((item) => item.lines).toSorted((a, b) => a.timestamp - b.timestamp)
  await writeBlock(objects, part.object_key, lines.map(({ text }) => text).join('\n'))
}

/** Enters the written parts into their recordings, of which other processes may have got the same items meanwhile. */
async function record(
  services: ReplayServices,
  transaction: StoreTransaction,
  written: readonly Part[],
): Promise<void> {
  const now = new Date(services.clock.now())
  const recordings = new Map(
    (
      await lockRecordings(
        transaction,
        written.map((part) => newRecording(part, now)),
      )
    ).map((row) => [sessionText(row), row]),
  )
  const parts = await withoutRepeats(transaction, written)
  await mendObjects(services, written, parts)
  await services.warehouse.insert(
    'console_entries',
    insertColumns.console_entries,
    parts.flatMap(consoleLines).join('\n'),
  )
  const entered = parts.map((part) => {
    const row = recordings.get(sessionText(part))
    if (!row) throw new Error(`the recording ${sessionText(part)} is gone`)
    const figures = figuresOf(part)
    const joined = row.block_count === 0 ? figures : joinFigures(row, figures)
    return { part, row, figures, joined }
  })
  if (entered.length === 0) return
  await insertBlocks(
    transaction,
    entered.map(({ part, row, figures }) => ({
      recording_id: row.id,
      number: row.block_count,
      object_key: part.object_key,
      start_time: figures.start_time,
      end_time: figures.end_time,
      bytes: part.items.reduce((sum, item) => sum + item.size, -1),
      items: part.items.map(({ uuid }) => uuid),
    })),
  )
  await updateRecordings(
    transaction,
    entered.map(({ row, joined }) => ({
      id: row.id,
      ...joined,
      ...replayLengths(joined),
      block_count: row.block_count + 1,
      last_updated_at: now,
    })),
  )
}

function newRecording(part: Part, now: Date) {
  const { project_id, session_id } = part
  const figures = figuresOf(part)
  return {
    project_id,
    session_id,
    ...figures,
    ...replayLengths(figures),
    block_count: 0,
    created_at: now,
    last_updated_at: now,
  }
}

function figuresOf(part: Part): ReplayFigures {
  return part.items.map(({ figures }) => figures).reduce(joinFigures)
}

/** Lets the objects hold what is left of the parts that they were written for. */
async function mendObjects(
  services: ReplayServices,
  written: readonly Part[],
  left: readonly Part[],
): Promise<void> {
  const byKey = new Map(left.map((part) => [part.object_key, part]))
  for (const { object_key, items } of written) {
    const part = byKey.get(object_key)
    if (!part) await services.objects.delete(object_key)
    else if (part.items.length < items.length) await writePart(services, part)
  }
}

function consoleLines({ project_id, session_id, items }: Part): string[] {
  return items.flatMap(({ uuid, windowId, consoleEntries }) =>
    consoleEntries.map((entry) =>
      JSON.stringify({
        ...entry,
        timestamp: new Date(entry.timestamp).toISOString(),
        team_id: project_id,
        session_id,
        window_id: windowId,
        item: uuid,
      }),
    ),
  )
}
