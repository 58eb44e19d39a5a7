import {
  highlightSpeedAt,
  type HighlightPiece,
  type Outline,
  type Playing,
  type PlaySettings,
  type TimeRange,
} from '../player/player-messages.ts'
import type { Cut, Read } from '../reader/reader-messages.ts'
import { cutAt } from '../../../replay/scenes.ts'
import type { Stage } from './stage.ts'

type ShownStage = Pick<Stage, 'show' | 'hide'>

/** The recording as read so far. Times are milliseconds since the epoch, except in the outline. */
export type ReadRecording = Omit<Read, 'outline' | 'blocks'> & {
  outline: Pick<Outline, 'idle'>
  /** Whether all blocks that show a time have been read. */
  isRead: (time: number) => boolean
}

/** A longer gap between two ticks (ms) means that the page was hidden; playback resumes where it stopped. */
const tickGapMsMax = 500
/** Interval (ms) between reports of the position. */
const reportMs = 100
/** Time (ms) at each end of an idle period that is played instead of skipped. */
const leadMs = 1_000

const nothingRead = { cuts: [], outline: { idle: [] }, windows: [], isRead: () => false, isAll: false }

/**
 * Creates the clock of a recording. Call `tick` for each animation frame while it plays, with the milliseconds of a monotonic clock.
 * `report` receives the state after each change, and regularly while playing.
 */
export function createPlayback(stage: ShownStage, report: (playing: Playing) => void) {
  let read: ReadRecording = { ...nothingRead, start: 0, end: 0 }
  let settings: PlaySettings = { isPlaying: false, speed: 1, skipsIdle: true, highlights: null }
  let [at, reportedAt] = [0, 0]
  let isWaiting = false
  let shown: Cut | undefined
  let last: number | null = null

  const time = () => read.start + at
  const length = () => read.end - read.start
  const hasEnded = () => read.isAll && at >= Math.min(length(), settings.highlights?.at(-1)?.to ?? Infinity)
  const isRead = () => read.isAll || read.isRead(time())
  const highlightSpeed = () => highlightSpeedAt(settings.highlights, at)
  const reportState = () => {
    const page = shown?.page
    const window = page ? read.windows.indexOf(page.window) + 1 : 0
    report({ at, isPlaying: settings.isPlaying, isWaiting, hasPicture: Boolean(page), window })
  }
  const show = () => {
    const isPlaying = settings.isPlaying && !isWaiting
    shown = cutAt(read.cuts, time())
    if (shown?.page) stage.show(time(), { isPlaying, speed: settings.speed * highlightSpeed() })
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
  const advance = (ms: number) => {
    const { highlights, speed, skipsIdle } = settings
    const passed = ms * speed
    const speedBefore = highlightSpeed()
    const next = highlights
      ? afterInHighlights(highlights, at, passed)
      : afterIdle(skipsIdle ? read.outline.idle : [], at + passed)
    const hasJumped = Math.abs(next - at - passed * speedBefore) > 1
    at = Math.min(next, length())
    const isOver = hasEnded()
    settings.isPlaying &&= !isOver
    const wasWaiting = isWaiting
    isWaiting = !isRead()
    const isOther = isWaiting !== wasWaiting || !isSame(cutAt(read.cuts, time()), shown)
    const isChanged = isOther || hasJumped || isOver || highlightSpeed() !== speedBefore
    if (isChanged) show()
    if (!isChanged && (last ?? 0) - reportedAt < reportMs) return
    reportedAt = last ?? 0
    reportState()
  }

  return {
    /** Returns whether the recording still plays. */
    tick(now: number): boolean {
      const passed = last === null ? 0 : now - last
      last = now
      if (settings.isPlaying && (passed > tickGapMsMax || (isWaiting && isRead()))) move(at)
      else if (settings.isPlaying && !isWaiting && passed > 0) advance(passed)
      if (!settings.isPlaying) last = null
      return settings.isPlaying
    },
    /** Starts with a recording of which nothing has been read. */
    open(opening: { recording: { start: number; end: number }; at: number; settings: PlaySettings }) {
      read = { ...nothingRead, ...opening.recording }
      settings = opening.settings
      move(opening.at)
    },
    /** Accepts newly read events; shows the page again only if it changed. */
    update(next: ReadRecording) {
      read = next
      if (isWaiting || !isSame(cutAt(read.cuts, time()), shown)) move(at)
      else reportState()
    },
    /** Changes how the recording is played; playing starts again at the end. */
    set(changes: Partial<PlaySettings>) {
      settings = { ...settings, ...changes }
      move(changes.isPlaying && hasEnded() ? (settings.highlights?.[0]?.from ?? 0) : at)
    },
    seek: move,
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

/** Returns the position to play instead of one in an idle period: shortly before the period ends. */
function afterIdle(idle: readonly TimeRange[], at: number): number {
  const skipped = idle.find(({ from, to }) => at > from + leadMs && at < to - 2 * leadMs)
  return skipped ? skipped.to - leadMs : at
}
