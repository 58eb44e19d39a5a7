import type { Playing, HighlightPiece, TimeRange } from '../player/player-messages.ts'
import type { Cut } from '../reader/reader-messages.ts'
import { cutAt } from '../../../replay/scenes.ts'

type Stage = {
  show: (time: number, how: { isPlaying: boolean; speed: number }) => void
  /** Hides the page while it is not the page at the playback's time. */
  hide: () => void
}

/** The recording as read so far. Times are milliseconds since the epoch, except in the outline. */
export type ReadRecording = {
  start: number
  end: number
  cuts: readonly Cut[]
  outline: { idle: readonly TimeRange[] }
  windows: readonly string[]
  /** Whether all blocks that show a time have been read. */
  isRead: (time: number) => boolean
  isAll: boolean
}

/** A longer gap between two ticks (ms) means that the page was hidden; playback resumes where it stopped. */
const tickGapMsMax = 500
/** Interval (ms) between reports of the position. */
const reportMs = 100
/** Time (ms) at each end of an idle period that is played instead of skipped. */
const leadMs = 1_000

/**
 * Creates the clock of a recording. Call `tick` for each animation frame while it plays, with the milliseconds of a monotonic clock.
 * `report` receives the state after each change, and regularly while playing.
 */
export function createPlayback(stage: Stage, report: (playing: Playing) => void) {
  let read: ReadRecording = {
    start: 0,
    end: 0,
    cuts: [],
    outline: { idle: [] },
    windows: [],
    isRead: () => false,
    isAll: false,
  }
  let at = 0
  let isPlaying = false
  let speed = 1
  let skipsIdle = true
  let highlights: readonly HighlightPiece[] | null = null
  let isWaiting = false
  let shown: Cut | undefined
  let last: number | null = null
  let reportedAt = 0

  const time = () => read.start + at
  const length = () => read.end - read.start
  const playedEnd = () => Math.min(length(), highlights?.at(-1)?.to ?? Infinity)
  const isRead = () => read.isAll || read.isRead(time())
  const reportState = () => {
    const page = shown?.page
    const window = page ? read.windows.indexOf(page.window) + 1 : 0
    report({ at, isPlaying, isWaiting, hasPicture: Boolean(page), window })
  }
  const highlightSpeed = () => highlights?.find(({ from, to }) => at >= from && at < to)?.speed ?? 1
  const show = () => {
    shown = cutAt(read.cuts, time())
    if (shown?.page)
      stage.show(time(), { isPlaying: isPlaying && !isWaiting, speed: speed * highlightSpeed() })
    else stage.hide()
  }
  const move = (to: number) => {
    at = Math.min(Math.max(0, to), length())
    isWaiting = !isRead()
    if (isWaiting) {
      shown = undefined
      stage.hide()
    } else show()
    reportState()
  }
  /** Returns whether the position jumped or the speed changed. */
  const advanceHighlights = (pieces: readonly HighlightPiece[], passed: number): boolean => {
    const [before, speedBefore] = [at, highlightSpeed()]
    at = afterInHighlights(pieces, at, passed)
    return highlightSpeed() !== speedBefore || Math.abs(at - before - passed * speedBefore) > 1
  }
  const advanceAll = (passed: number): boolean => {
    at = Math.min(at + passed, length())
    const skipped =
      skipsIdle && read.outline.idle.find(({ from, to }) => at > from + leadMs && at < to - 2 * leadMs)
    if (skipped) at = skipped.to - leadMs
    return Boolean(skipped)
  }
  const advance = (passed: number) => {
    const skipped = highlights ? advanceHighlights(highlights, passed * speed) : advanceAll(passed * speed)
    const reached = at >= playedEnd() && read.isAll
    if (reached) isPlaying = false
    const mustWait = !isRead()
    const next = cutAt(read.cuts, time())
    const isOther = !isSame(next, shown)
    const changed = mustWait !== isWaiting || isOther || skipped || reached
    isWaiting = mustWait
    if (changed) show()
    if (!changed && (last ?? 0) - reportedAt < reportMs) return
    reportedAt = last ?? 0
    reportState()
  }

  return {
    /** Returns whether the recording still plays. */
    tick(now: number): boolean {
      const passed = last === null ? 0 : now - last
      last = now
      if (isPlaying && passed > tickGapMsMax) move(at)
      else if (isPlaying && isWaiting) {
        if (isRead()) move(at)
      } else if (isPlaying && passed > 0) advance(passed)
      if (!isPlaying) last = null
      return isPlaying
    },
    /** Starts with a recording of which nothing has been read. */
    open(opening: { start: number; end: number; at: number; isPlaying: boolean }) {
      read = { ...read, start: opening.start, end: opening.end }
      isPlaying = opening.isPlaying
      move(opening.at)
    },
    /** Accepts newly read events; shows the page again only if it changed. */
    update(next: ReadRecording) {
      read = next
      const now = cutAt(read.cuts, time())
      if (isWaiting || !isSame(now, shown)) move(at)
      else reportState()
    },
    play() {
      isPlaying = true
      move(at >= playedEnd() && read.isAll ? (highlights?.[0]?.from ?? 0) : at)
    },
    pause() {
      isPlaying = false
      move(at)
    },
    seek: move,
    setSpeed(next: number) {
      speed = next
      move(at)
    },
    /** Plays only these parts, which are in order; null plays the whole recording. */
    setHighlights(pieces: readonly HighlightPiece[] | null) {
      highlights = pieces
      move(at)
    },
    skipIdle(on: boolean) {
      skipsIdle = on
    },
  }
}

function isSame(one: Cut | undefined, other: Cut | undefined): boolean {
  return one?.page?.window === other?.page?.window && one?.page?.start === other?.page?.start
}

/** Returns the position in the highlights after playing for some time (ms) from a position. Positions outside its pieces are skipped. */
function afterInHighlights(pieces: readonly HighlightPiece[], at: number, passed: number): number {
  let [position, left] = [at, passed]
  for (const { from, to, speed } of pieces) {
    if (to <= position) continue
    position = Math.max(position, from)
    const needed = (to - position) / speed
    if (left < needed) return position + left * speed
    left -= needed
    position = to
  }
  return position
}
