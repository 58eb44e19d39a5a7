import type { Playing, TimeRange } from '../player/player-messages.ts'
import { cutAt, type Cut, type Scene } from './scenes.ts'

type Stage = {
  show: (scene: Scene, time: number, how: { isPlaying: boolean; speed: number }) => void
  hasMore: (scene: Scene, time: number) => boolean
}

/** The recording as read so far. Times are milliseconds since the epoch, except for `idle`. */
export type ReadRecording = {
  start: number
  end: number
  cuts: readonly Cut[]
  /** In milliseconds since the start. */
  idle: readonly TimeRange[]
  windows: readonly string[]
  /** Every event before this time has been read; Infinity once all events have been. */
  readUntil: number
}

/** A longer gap between two ticks (ms) means that the page was hidden; playback resumes where it stopped. */
const tickGapMsMax = 500
/** Interval (ms) between reports of the position. */
const reportMs = 100
/** Time (ms) at each end of an idle period that is played instead of skipped. */
const leadMs = 1_000

/**
 * Creates the clock of a recording. Call `tick` for each animation frame, with the milliseconds of a monotonic clock.
 * `report` receives the state after each change, and regularly while playing.
 */
export function createPlayback(stage: Stage, report: (playing: Playing) => void) {
  let read: ReadRecording = { start: 0, end: 0, cuts: [], idle: [], windows: [], readUntil: 0 }
  let at = 0
  let isPlaying = false
  let speed = 1
  let skipsIdle = true
  let isWaiting = false
  let shown: Cut | undefined
  let last: number | null = null
  let reportedAt = 0

  const time = () => read.start + at
  const length = () => read.end - read.start
  const isRead = () => time() < read.readUntil || read.readUntil === Infinity
  const reportState = () => {
    const window = shown ? read.windows.indexOf(shown.scene.window) + 1 : 0
    report({ at, isPlaying, isWaiting, hasPicture: shown !== undefined, window })
  }
  const show = () => {
    shown = cutAt(read.cuts, time())
    if (shown) stage.show(shown.scene, time(), { isPlaying: isPlaying && !isWaiting, speed })
  }
  const move = (to: number) => {
    at = Math.min(Math.max(0, to), length())
    isWaiting = !isRead()
    show()
    reportState()
  }
  const advance = (passed: number) => {
    at = Math.min(at + passed * speed, length())
    const skipped = skipsIdle && read.idle.find(({ from, to }) => at > from + leadMs && at < to - 2 * leadMs)
    if (skipped) at = skipped.to - leadMs
    const reached = at >= length() && read.readUntil === Infinity
    if (reached) isPlaying = false
    const mustWait = !isRead()
    const next = cutAt(read.cuts, time())
    const isOther = next !== undefined && (next.scene !== shown?.scene || stage.hasMore(next.scene, time()))
    const changed = mustWait !== isWaiting || isOther || Boolean(skipped) || reached
    isWaiting = mustWait
    if (changed) show()
    if (!changed && (last ?? 0) - reportedAt < reportMs) return
    reportedAt = last ?? 0
    reportState()
  }

  return {
    tick(now: number) {
      const passed = last === null ? 0 : now - last
      last = now
      if (!isPlaying || passed <= 0) return
      if (passed > tickGapMsMax) move(at)
      else if (isWaiting) {
        if (isRead()) move(at)
      } else advance(passed)
    },
    /** Accepts newly read events; rerenders only if the current scene changed. */
    update(next: ReadRecording) {
      const before = shown?.scene.events[1]
      read = next
      const now = cutAt(read.cuts, time())
      const isNew = now?.scene.events[1] !== before
      if (now && !isNew) shown = now
      if (isNew || isWaiting) move(at)
      else reportState()
    },
    play() {
      isPlaying = true
      move(at >= length() && read.readUntil === Infinity ? 0 : at)
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
    skipIdle(on: boolean) {
      skipsIdle = on
    },
  }
}
