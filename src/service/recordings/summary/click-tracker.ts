import type { FactLog, Visit } from './fact-log.ts'

export type Click = {
  window: string
  at: number
  x: number
  y: number
  /** The element that was hit. */
  element: number | null
  about: string
  clickable: boolean
}

/** Milliseconds and pixels. */
const rage = { clicks: 3, within: 1000, distance: 30 }
const deadAfter = 2500
const longWait = { min: 4000, max: 60_000 }
/** Clicked often in a row as they should be. */
const steppers = /^“([+\-−–‹›«»<>▲▼←→]|next|previous|prev|back|more|less|increase.*|decrease.*)”$/i

type Waiting = Click & { visit: Visit; answered: boolean; clicks: number }
type Streak = { clicks: readonly Click[]; visit: Visit; isRage: boolean }

/** Finds clicks in rage, clicks without effect, and those whose effect takes long. */
export class ClickTracker {
  private readonly log: FactLog
  private readonly waiting = new Map<string, Waiting>()
  private streak: Streak | null = null

  constructor(log: FactLog) {
    this.log = log
  }

  click(click: Click): void {
    const waiting = this.waiting.get(click.window)
    if (waiting?.about === click.about && !waiting.answered && click.clickable) waiting.clicks += 1
    else {
      this.acted(click.window, click.at)
      this.waiting.set(click.window, { ...click, visit: this.log.current, answered: false, clicks: 1 })
    }
    this.follow(click)
  }

  /** The page changed: that is the answer to the click before it. */
  changed(window: string, at: number): void {
    const waiting = this.waiting.get(window)
    if (!waiting) return
    this.waiting.delete(window)
    const wait = at - waiting.at
    if (!waiting.clickable || wait < longWait.min || wait > longWait.max) return
    const { about, visit } = waiting
    this.log.add({ kind: 'long_wait', at: waiting.at, until: at, about, after: about, visit })
  }

  /** Something happened that is an answer, though the page may still be about to change. */
  answered(window: string, at: number): void {
    const waiting = this.waiting.get(window)
    if (waiting && at - waiting.at <= deadAfter) waiting.answered = true
  }

  /** Soon after a click the page scrolls by itself; later it is the person who scrolls. */
  scrolled(window: string, at: number): void {
    this.answered(window, at)
    if (!this.waiting.get(window)?.answered) this.acted(window, at)
  }

  /** The person went on without waiting any longer: a click that nothing had answered by then was dead. */
  acted(window: string, at: number): void {
    const waiting = this.waiting.get(window)
    if (!waiting) return
    this.waiting.delete(window)
    if (waiting.answered || !waiting.clickable || at - waiting.at < deadAfter) return
    const { about, visit, clicks } = waiting
    this.log.add({ kind: 'dead_click', at: waiting.at, about, visit, count: clicks })
  }

  /** `ends`: when the last data of each window came. */
  end(ends: ReadonlyMap<string, number>): void {
    for (const [window, { at }] of this.waiting) this.acted(window, ends.get(window) ?? at)
    this.endStreak()
  }

  private follow(click: Click): void {
    const last = this.streak?.clicks.at(-1)
    const goesOn =
      last?.window === click.window &&
      click.at - last.at <= rage.within &&
      // An error that appears above a button moves it.
      (click.element === last.element || Math.hypot(click.x - last.x, click.y - last.y) <= rage.distance)
    if (!goesOn) this.endStreak()
    this.streak ??= { clicks: [], visit: this.log.current, isRage: false }
    const clicks = [...this.streak.clicks, click]
    const first = clicks.at(-rage.clicks)
    const isRage = this.streak.isRage || (first !== undefined && click.at - first.at <= rage.within)
    this.streak = { ...this.streak, clicks, isRage }
  }

  private endStreak(): void {
    if (!this.streak) return
    const { clicks, visit, isRage } = this.streak
    this.streak = null
    const [first] = clicks
    if (!first || !isRage || steppers.test(first.about)) return
    const until = clicks.at(-1)?.at ?? first.at
    const { about, at } = first
    this.log.add({ kind: 'rage_click', at, until, about, visit, count: clicks.length })
  }
}
