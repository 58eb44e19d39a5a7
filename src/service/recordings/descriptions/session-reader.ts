import type { StoredPage } from '../../store/recordings/recording-pages.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'
import type { CapturedEvent } from '../facts/captured-event.ts'
import { SessionFollower } from '../facts/follow-session.ts'
import { sessionFacts, type Bounds } from '../facts/session-facts.ts'
import { readSessionEvent, type SessionEvent } from '../../snapshots/unpack-event.ts'
import { ruleSummary, type RuleSummary } from '../summary/rule-summary.ts'
import type { SessionDevice } from './session-device.ts'
import { PageMaker, type ReadBlock } from './page-maker.ts'
import { storedFacts } from './stored-facts.ts'

/** What is known of a session before its blocks are read. Times are in milliseconds since the epoch. */
export type Session = {
  isMobile: boolean
  start: number
  end: number
  captured: readonly CapturedEvent[]
  /** Whether to make pages to store. */
  makesPages: boolean
}

export type SessionEnd = Omit<Bounds, 'start' | 'end'> & {
  /** Null if only the summary is wanted. */
  device: SessionDevice | null
}

export type ReadSession = { summary: RuleSummary; facts: StoredFacts | null; pages: readonly StoredPage[] }

/** Characters of events held back until earlier ones are read. Real blocks overlap only a little; forged ones may overlap fully. */
const waitingLengthMax = 48 * 1024 * 1024

type Waiting = SessionEvent & { size: number }

/** Processes a session's blocks and captured events in order of time, holding only a few blocks in memory. */
export class SessionReader {
  private readonly session: Session
  private readonly follower: SessionFollower
  /** Number of captured events that were processed. */
  private capturedCount = 0
  private waiting: Waiting[] = []
  private readonly pageMaker: PageMaker | null

  constructor(session: Session) {
    this.session = session
    this.follower = new SessionFollower(session)
    this.pageMaker = session.makesPages ? new PageMaker() : null
  }

  /** Reads the lines of a block; the next block starts at `next`. Returns the time until which all events are processed. */
  addBlock({ lines, block, next }: { lines: Uint8Array; block: ReadBlock; next: number }): number {
    const events = eventsOf(Buffer.from(lines).toString('utf8')).toSorted(byTime)
    this.pageMaker?.addBlock(block, events)
    this.waiting = this.waiting.concat(events).toSorted(byTime)
    const ready = this.waiting.splice(0, readyCount(this.waiting, next))
    for (const event of ready) {
      this.captureUntil(event.timestamp)
      this.follower.addReplayEvent(event)
    }
    return ready.at(-1)?.timestamp ?? next
  }

  end({ ongoing, readUntil, activity, device }: SessionEnd): ReadSession {
    const { start, end } = this.session
    if (readUntil === null) this.captureUntil(Infinity)
    this.follower.end({ ongoing: ongoing || readUntil !== null })
    const session = sessionFacts(this.follower, { start, end, ongoing, readUntil, activity })
    const summary = ruleSummary(session)
    const pages = this.pageMaker?.pages ?? []
    if (!device) return { summary, facts: null, pages }
    const first = summary.sentences[0]?.text ?? null
    const { strip } = this.follower.log
    return { summary, facts: storedFacts({ session, strip, activity, device, summary: first }), pages }
  }

  private captureUntil(time: number): void {
    const { captured } = this.session
    let next = captured[this.capturedCount]
    while (next && next.at <= time) {
      this.follower.addCapturedEvent(next)
      this.capturedCount += 1
      next = captured[this.capturedCount]
    }
  }
}

function byTime(one: Waiting, other: Waiting): number {
  return one.timestamp - other.timestamp
}

function eventsOf(lines: string): Waiting[] {
  return lines.split('\n').flatMap((line) => {
    const event = readSessionEvent(line)
    return event ? { ...event, size: line.length } : []
  })
}

/** Counts the waiting events, ordered by time, that no later block can precede, or that exceed `waitingLengthMax`. */
function readyCount(waiting: readonly Waiting[], next: number): number {
  const later = waiting.findIndex(({ timestamp }) => timestamp >= next)
  let ready = later < 0 ? waiting.length : later
  let size = waiting.slice(ready).reduce((sum, event) => sum + event.size, 0)
  for (; size > waitingLengthMax; ready += 1) size -= waiting[ready]?.size ?? size
  return ready
}
