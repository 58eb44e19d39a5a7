import { sql } from 'kysely'
import { ErasureMention, type ErasedCounts } from '../../contract/privacy/person-erasure.ts'
import { lockPersons } from '../capture/persons/person-store.ts'
import { downEngine } from '../problems/down-engine.ts'
import { safeJson, safeText } from '../engines/safe-text.ts'
import { eraseRecordings } from '../recordings/delete-recordings.ts'
import { waitForGathering } from '../recordings/filter/gather-properties.ts'
import type { Services } from '../services.ts'
import type { Loop } from '../start-loops.ts'
import { addUncertainWindows, markLedger } from '../store/privacy/erased-windows.ts'
import {
  countRecordings,
  deletePersonsWithin,
  eraseSessionTexts,
  lockErasure,
  recordingsToErase,
  savedFilters,
  type PersonErasureRow,
} from '../store/privacy/person-erasures.ts'
import { holdWatermark, lastVisibleArrival } from '../store/runs/watermark.ts'
import { inTransaction, type StoreTransaction } from '../store/schema/database.ts'
import { updateRows } from '../store/schema/rows.ts'
import {
  countRows,
  hasReplacedFiles,
  hidePerson,
  hideSessions,
  rewritingState,
  startRewriting,
} from './erase-rows.ts'
import { storeExportedWindows } from './exported-windows.ts'
import { sessionsWithPerson } from './shared-recordings.ts'

const pollDelayMs = 1000
const recordingsAtOnce = 100
const problemMax = 2000
/** Shortest distinct id that is searched in saved filters: a shorter one is part of many texts. */
const mentionedMin = 4
/** Delay before an erasure's next turn: after a failure, and while files are being replaced or deleted. */
const retryDelayMs = 10_000
const purgeDelayMs = 30_000
/** Failures to rewrite files after which the rows stay hidden. */
const failuresMax = 8

/** Erasures of this process that are not due, those whose files it has begun to rewrite, and failures in succession. */
type Progress = { dueAt: Map<string, number>; rewriting: Set<string>; failures: Map<string, number> }

export function newProgress(): Progress {
  return { dueAt: new Map(), rewriting: new Set(), failures: new Map() }
}

/** Erases persons in the background. */
export function erasureLoop(services: Services): Loop {
  const progress = newProgress()
  return {
    problem: 'failed to continue the erasure of a person',
    work: async (signal) => ((await continueErasure(services, progress, signal)) ? 0 : pollDelayMs),
  }
}

/** Changes of an erasure's row; null if there is nothing to do yet. */
type Change = Parameters<typeof updateRows<'person_erasures'>>[3] | null
type Turn = { services: Services; row: PersonErasureRow; progress: Progress; signal: AbortSignal }

/**
 * Performs the next part of the oldest erasure that is due; resolves to whether there was one. Each part can be repeated, so that
 * a process that dies in the middle of one leaves it to another.
 */
export async function continueErasure(
  services: Services,
  progress: Progress,
  signal = new AbortController().signal,
): Promise<boolean> {
  const now = services.clock.now()
  const waiting = [...progress.dueAt].flatMap(([id, dueAt]) => (dueAt > now ? [id] : []))
  const taken: { row?: PersonErasureRow | undefined } = {}
  try {
    return await inTransaction(services.store, async (transaction) => {
      const row = (taken.row = await lockErasure(transaction, waiting))
      if (!row) return false
      const change = await performStep({ services, row, progress, signal }, transaction)
      if (change)
        await updateRows(transaction, 'person_erasures', { id: row.id }, { problem: null, ...change })
      progress.failures.delete(row.id)
      return true
    })
  } catch (error) {
    const { row } = taken
    if (!row || downEngine(error) !== null || signal.aborted) throw error
    services.logger.error({ err: error, erasure: row.id }, 'failed to erase a person')
    progress.dueAt.set(row.id, now + retryDelayMs)
    progress.rewriting.delete(row.id)
    const failures = (progress.failures.get(row.id) ?? 0) + 1
    progress.failures.set(row.id, failures)
    const problem = safeText(error instanceof Error ? error.message : String(error), problemMax)
    const gaveUp = row.step === 'disk' && failures >= failuresMax ? ended(new Date(now)) : {}
    await updateRows(services.store, 'person_erasures', { id: row.id }, { problem, ...gaveUp })
    return true
  }
}

function performStep(turn: Turn, transaction: StoreTransaction): Promise<Change> {
  switch (turn.row.step) {
    case 'person':
      return separatePerson(turn, transaction)
    case 'windows':
      return findWindows(turn)
    case 'recordings':
      return removeRecordings(turn)
    case 'rows':
      return hideRows(turn)
    case 'disk':
      return rewriteFiles(turn)
    case 'done':
      return awaitPurge(turn)
  }
}

/** Deletes persons that later events have created from the same ids, and decides from when on such events are a new person's. */
async function separatePerson({ services, row }: Turn, transaction: StoreTransaction): Promise<Change> {
  await lockPersons(transaction, [row.project_id])
  await deletePersonsWithin(transaction, row.project_id, row.distinct_ids)
  const arrival = await holdWatermark(transaction, services.clock)
  // Those that wait for the lock on persons arrive later.
  await sql`UPDATE arrival_floor SET at = greatest(at, ${new Date(arrival + 1)}::timestamptz)`.execute(
    transaction,
  )
  return { erased_until: new Date(arrival), step: 'windows' }
}

async function findWindows({ services, row, signal }: Turn): Promise<Change> {
  const { store, warehouse, clock } = services
  await lastVisibleArrival(services, (row.erased_until?.getTime() ?? 0) + 1, signal)
  const compared_at = new Date(clock.now())
  const found = await sessionsWithPerson(services, row)
  const kept_session_ids = row.keeps_shared ? found.begunByOthers : []
  const kept = new Set(kept_session_ids)
  const session_ids = found.session_ids.filter((id) => !kept.has(id))
  const erased = { ...row, session_ids, kept_session_ids }
  const counts: ErasedCounts = {
    distinct_ids: row.distinct_ids.length,
    ...(await countRows(warehouse, erased)),
    ...(await countRecordings(store, erased)),
    shared_recordings: found.counts.shared_recordings - kept_session_ids.length,
    kept_recordings: kept_session_ids.length,
  }
  const unchecked_exports = await storeExportedWindows(services, row)
  await markLedger(store, row.id, null)
  const mentions = await mentionsOf(services, row)
  return {
    session_ids,
    kept_session_ids,
    counts: safeJson(counts),
    unchecked_exports,
    mentions: safeJson(mentions),
    compared_at,
    step: 'recordings',
  }
}

/** Returns the saved filters and queries that contain a distinct id. */
async function mentionsOf({ store }: Services, { project_id, distinct_ids }: PersonErasureRow) {
  const ids = distinct_ids.filter(({ length }) => length >= mentionedMin)
  const texts = ids.flatMap((id) => [id, encodeURIComponent(id.toWellFormed()), id.replaceAll("'", "''")])
  const filters = await savedFilters(store, project_id)
  return filters
    .filter(({ text }) => texts.some((id) => text.includes(id)))
    .map((filter) => ErasureMention.parse(filter))
}

async function removeRecordings({ services, row }: Turn): Promise<Change> {
  const ids = await recordingsToErase(services.store, row, recordingsAtOnce)
  await eraseRecordings(services, ids)
  const recordings_done = row.recordings_done + ids.length
  if (ids.length === recordingsAtOnce) return { recordings_done }
  await eraseSessionTexts(services.store, row)
  return { recordings_done, step: 'rows' }
}

async function hideRows({ services, row }: Turn): Promise<Change> {
  const { store, warehouse, clock } = services
  await hidePerson(warehouse, row)
  const hidden_at = new Date(clock.now())
  await addUncertainWindows(store, row, hidden_at)
  await markLedger(store, row.id, hidden_at)
  await waitForGathering(store)
  await hideSessions(warehouse, row)
  return { hidden_at, step: 'disk' }
}

async function rewriteFiles({ services, row, progress }: Turn): Promise<Change> {
  const { warehouse, clock } = services
  if (!progress.rewriting.has(row.id)) {
    // What was being derived from a recording when it was deleted.
    await hideSessions(warehouse, row)
    await startRewriting(warehouse)
    progress.rewriting.add(row.id)
  }
  const { running, problem } = await rewritingState(warehouse)
  if (problem !== null) throw new Error(problem)
  if (running > 0) {
    progress.dueAt.set(row.id, clock.now() + pollDelayMs)
    return null
  }
  progress.rewriting.delete(row.id)
  const now = new Date(clock.now())
  return { ...ended(now), rewritten_at: now }
}

/** An erasure that has ended no longer knows whom it erased. */
function ended(finished_at: Date) {
  return {
    step: 'done' as const,
    finished_at,
    person_uuid: null,
    distinct_ids: [],
    session_ids: [],
    kept_session_ids: [],
  }
}

async function awaitPurge({ services, row, progress }: Turn): Promise<Change> {
  const now = services.clock.now()
  if (!(await hasReplacedFiles(services.warehouse, row.rewritten_at?.getTime() ?? now)))
    return { purged_at: new Date(now) }
  progress.dueAt.set(row.id, now + purgeDelayMs)
  return null
}
