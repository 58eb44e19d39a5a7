import type { Playing, Stretch } from '../player/player-messages.ts'
import { cutAt, type Cut, type Scene } from './scenes.ts'

type Stage = {
  show: (scene: Scene, time: number, how: { isPlaying: boolean; speed: number }) => void
  hasMore: (scene: Scene, time: number) => boolean
}

/** What has been read; moments in milliseconds since the epoch, stretches since the start. */
export type Read = {
  start: number
  end: number
  cuts: readonly Cut[]
  idle: readonly Stretch[]
  windows: readonly string[]
  /** Everything before this moment is there; Infinity when all is. */
  readUntil: number
}

/** After a longer pause between two looks (milliseconds) the page was hidden: it goes on where it stopped. */
const longestStep = 500
/** Milliseconds between two times that it tells where it is. */
const tellEvery = 100
/** Seen before the person comes back, in milliseconds. */
const lead = 1_000

/**
 * The clock of a recording. `tick` is called often, with milliseconds of a steady clock; `tell` hears of every change, and
 * each time of where it is.
 */
export function createPlayback(stage: Stage, tell: (playing: Playing) => void) {
  let read: Read = { start: 0, end: 0, cuts: [], idle: [], windows: [], readUntil: 0 }
  let at = 0
  let isPlaying = false
  let speed = 1
  let skipsIdle = true
  let isWaiting = false
  let shown: Cut | undefined
  let last: number | null = null
  let told = 0

  const time = () => read.start + at
  const length = () => read.end - read.start
  const isThere = () => time() < read.readUntil || read.readUntil === Infinity
  const say = () => {
    const window = shown ? read.windows.indexOf(shown.scene.window) + 1 : 0
    tell({ at, isPlaying, isWaiting, hasPicture: shown !== undefined, window })
  }
  const show = () => {
    shown = cutAt(read.cuts, time())
    if (shown) stage.show(shown.scene, time(), { isPlaying: isPlaying && !isWaiting, speed })
  }
  const move = (to: number) => {
    at = Math.min(Math.max(0, to), length())
    isWaiting = !isThere()
    show()
    say()
  }
  const goOn = (passed: number) => {
    at = Math.min(at + passed * speed, length())
    const skipped = skipsIdle && read.idle.find(({ from, to }) => at > from + lead && at < to - 2 * lead)
    if (skipped) at = skipped.to - lead
    const reached = at >= length() && read.readUntil === Infinity
    if (reached) isPlaying = false
    const waits = !isThere()
    const next = cutAt(read.cuts, time())
    const isOther = next !== undefined && (next.scene !== shown?.scene || stage.hasMore(next.scene, time()))
    const changed = waits !== isWaiting || isOther || Boolean(skipped) || reached
    isWaiting = waits
    if (changed) show()
    if (!changed && (last ?? 0) - told < tellEvery) return
    told = last ?? 0
    say()
  }

  return {
    tick(now: number) {
      const passed = last === null ? 0 : now - last
      last = now
      if (!isPlaying || passed <= 0) return
      if (passed > longestStep) move(at)
      else if (isWaiting) {
        if (isThere()) move(at)
      } else goOn(passed)
    },
    /** Takes what has been read since; the picture changes only where it must. */
    take(next: Read) {
      const before = shown?.scene.events[1]
      read = next
      const now = cutAt(read.cuts, time())
      const isNew = now?.scene.events[1] !== before
      if (now && !isNew) shown = now
      if (isNew || isWaiting) move(at)
      else say()
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
