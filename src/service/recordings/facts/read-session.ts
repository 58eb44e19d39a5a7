import type { Services } from '../../services.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { readBlock } from '../../snapshots/blocks.ts'
import type { CapturedEvent } from './captured-event.ts'
import { SessionFollower } from './follow-session.ts'
import { readSessionEvent, type SessionEvent } from './unpack-event.ts'

export type Reading = {
  follower: SessionFollower
  /** Where reading stopped at its time limit, in milliseconds since the epoch; null when all was read. */
  readUntil: number | null
  /** Whether a block could not be read. */
  hasGap: boolean
}

/** Time limit (ms) for reading a session. */
const readMsMax = 25_000
/** Characters of events held back until earlier ones are read. Real blocks overlap only a little; forged ones may overlap fully. */
const waitingLengthMax = 48 * 1024 * 1024
/** Events processed before other requests get a turn. */
const eventsPerTurn = 500

type Waiting = SessionEvent & { size: number }

/** Processes a session's blocks and captured events in order of time, holding only a few blocks in memory. */
export async function readSession(
  services: Services,
  recording: RecordingRow,
  captured: readonly CapturedEvent[],
  ongoing: boolean,
): Promise<Reading> {
  const deadline = services.clock.now() + readMsMax
  const follower = new SessionFollower({
    isMobile: recording.snapshot_source === 'mobile',
    start: recording.start_time.getTime(),
    end: recording.end_time.getTime(),
  })
  const blocks = await blocksOf(services, recording)
  const rest = captured.values()
  let upcoming = rest.next()
  const captureUntil = (time: number) => {
    for (; !upcoming.done && upcoming.value.at <= time; upcoming = rest.next())
      follower.addCapturedEvent(upcoming.value)
  }
  let waiting: Waiting[] = []
  let failures = 0
  let readUntil: number | null = null
  for (const [index, { object_key }] of blocks.entries()) {
    const events = await eventsOf(services, object_key)
    if (!events) failures += 1
    waiting = waiting.concat(events ?? []).toSorted((a, b) => a.timestamp - b.timestamp)
    const next = blocks[index + 1]?.start_time.getTime() ?? Infinity
    const ready = waiting.splice(0, readyCount(waiting, next))
    for (const [count, event] of ready.entries()) {
      captureUntil(event.timestamp)
      follower.addReplayEvent(event)
      if (count % eventsPerTurn === eventsPerTurn - 1) await new Promise((resume) => setImmediate(resume))
    }
    if (services.clock.now() > deadline && next !== Infinity) {
      readUntil = ready.at(-1)?.timestamp ?? next
      break
    }
  }
  if (failures > 0 && failures === blocks.length) throw new Error('no block of the recording can be read')
  if (readUntil === null) captureUntil(Infinity)
  follower.end({ ongoing: ongoing || readUntil !== null })
  return { follower, readUntil, hasGap: failures > 0 }
}

function blocksOf({ store }: Services, { id, block_count }: RecordingRow) {
  return store
    .selectFrom('session_recording_blocks')
    .select(['object_key', 'start_time'])
    .where('recording_id', '=', id)
    .where('number', '<', block_count)
    .orderBy('start_time')
    .orderBy('number')
    .execute()
}

/** Reads a block's events; returns null when the block cannot be read. */
async function eventsOf({ objects, logger }: Services, key: string): Promise<Waiting[] | null> {
  try {
    const lines = (await readBlock(objects, key)).toString('utf8').split('\n')
    return lines.flatMap((line) => {
      const event = readSessionEvent(line)
      return event ? { ...event, size: line.length } : []
    })
  } catch (error) {
    logger.warn({ err: error, key }, 'failed to read a block, so the summary skips it')
    return null
  }
}

/** Counts the waiting events, ordered by time, that no later block can precede, or that exceed `waitingLengthMax`. */
function readyCount(waiting: readonly Waiting[], next: number): number {
  const later = waiting.findIndex(({ timestamp }) => timestamp >= next)
  let ready = later < 0 ? waiting.length : later
  let size = waiting.slice(ready).reduce((sum, event) => sum + event.size, 0)
  for (; size > waitingLengthMax; ready += 1) size -= waiting[ready]?.size ?? size
  return ready
}
