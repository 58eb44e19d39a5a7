import { Thread, ThreadFailed } from '../../engines/run-in-thread.ts'
import { busy } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { BlockRow } from '../../store/recordings/recording-blocks.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { rowsOf } from '../../store/schema/database.ts'
import { readBlock } from '../../snapshots/blocks.ts'
import { capturedEvents } from '../facts/captured-event.ts'
import type { ReadSession } from './session-reader.ts'
import type { SessionDevice } from './session-device.ts'
import type { SessionInput, SessionOutput } from './session-worker.ts'

/** Time limit (ms) for reading a session's blocks; what is left is not read. */
const readMsMax = 25_000
/** Limit for the thread itself, which a block of a forged recording can occupy beyond `readMsMax`. */
const limit = { elapsedMs: 28_000 }
/** Summaries that wait for the thread: in all, and of one project. */
const waitingMax = { all: 50, project: 10 }

const options = { worker: new URL('./session-worker.ts', import.meta.url), memoryMaxMb: 1024, idleMs: 30_000 }
/** Untrusted recordings are parsed only in threads, so that no request waits for them; neither thread delays the other's work. */
const threads = {
  requests: new Thread<SessionInput, SessionOutput>({ ...options, waitingMax: waitingMax.all }),
  jobs: new Thread<SessionInput, SessionOutput>(options),
}

export type SessionOptions = {
  ongoing: boolean
  /** Null if neither facts nor pages are wanted. */
  device: SessionDevice | null
  /** Whether a request waits for the result, or a background job. */
  waiting: keyof typeof threads
  /** Aborts the reading. */
  signal?: AbortSignal | undefined
}

/**
 * Reads a session in a thread; `hasGap` says whether a block could not be read.
 * @throws ApiError 503 if it takes too much time or memory; Error if none of its blocks can be read.
 */
export async function readSession(
  services: Services,
  recording: RecordingRow,
  { ongoing, device, waiting, signal }: SessionOptions,
): Promise<ReadSession & { hasGap: boolean }> {
  const { warehouse, clock, logger } = services
  const { activity, start_time, end_time, snapshot_source, project_id } = recording
  const [start, end] = [start_time.getTime(), end_time.getTime()]
  const captured = await capturedEvents(warehouse, recording)
  const blocks = await blocksOf(services, recording)
  // Read before the turn in the thread, so that a store that does not respond holds up no other recording.
  let reading = linesOf(services, blocks[0]?.object_key)
  await reading
  const read = async (ask: (input: SessionInput) => Promise<SessionOutput>) => {
    const deadline = clock.now() + readMsMax
    let failures = 0
    let readUntil: number | null = null
    const isMobile = snapshot_source === 'mobile'
    const makesPages = device !== null && !isMobile
    await ask({ session: { isMobile, start, end, captured, makesPages } })
    for (const [index, { number, start_time, bytes }] of blocks.entries()) {
      const lines = await reading
      if (!lines) failures += 1
      reading = linesOf(services, blocks[index + 1]?.object_key)
      const next = blocks[index + 1]?.start_time.getTime() ?? Infinity
      const block = { number, start: start_time.getTime(), bytes }
      const until = await ask({ lines: lines ?? new Uint8Array(), block, next })
      if (clock.now() <= deadline || next === Infinity) continue
      readUntil = typeof until === 'number' ? until : null
      break
    }
    if (failures > 0 && failures === blocks.length) throw new Error('no block of the recording can be read')
    const result = await ask({ end: { ongoing, readUntil, activity, device } })
    if (typeof result === 'number') throw new Error('the thread did not return what it read')
    return { ...result, hasGap: failures > 0 }
  }
  const turn = { lane: String(project_id), laneMax: waitingMax.project, limit, signal }
  try {
    return await threads[waiting].runInThread(read, turn)
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    // A stop ends the thread.
    if (!signal?.aborted)
      logger.warn({ err: error, recording: recording.id }, 'failed to read a recording in a thread')
    throw busy('The recording could not be read in time. Try again in a minute.', error)
  }
}

async function blocksOf({ store }: Services, { id, block_count }: RecordingRow) {
  return await rowsOf<Pick<BlockRow, 'number' | 'object_key' | 'start_time' | 'bytes'>>(store)`
    SELECT number, object_key, start_time, bytes FROM session_recording_blocks
    WHERE recording_id = ${id} AND number < ${block_count} ORDER BY start_time, number`
}

/** Returns the lines of a block; null if the block does not exist or cannot be read. */
async function linesOf({ objects, logger }: Services, key: string | undefined): Promise<Buffer | null> {
  if (key === undefined) return null
  try {
    return await readBlock(objects, key)
  } catch (error) {
    logger.warn({ err: error, key }, 'failed to read a block, so the summary skips it')
    return null
  }
}
