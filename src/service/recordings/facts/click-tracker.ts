import type { FactLog, PageVisit } from './fact-log.ts'

export type Click = {
  window: string
  at: number
  x: number
  y: number
  /** Id of the element that was hit. */
  element: number | null
  about: string
  clickable: boolean
}

/** Limits in milliseconds and pixels. */
const rage = { clicks: 3, within: 1000, distance: 30 }
const deadAfter = 2500
const longWait = { min: 4000, max: 60_000 }
/** Names of buttons that are meant to be clicked repeatedly. */
const steppers = /^“([+\-−–‹›«»<>▲▼←→]|next|previous|prev|back|more|less|increase.*|decrease.*)”$/i

type Waiting = Click & { visit: PageVisit; responded: boolean; clicks: number }
type Streak = { clicks: readonly Click[]; visit: PageVisit; isRage: boolean }

/** Detects rage clicks, dead clicks, and clicks with a slow effect. */
export class ClickTracker {
  private readonly log: FactLog
  private readonly waiting = new Map<string, Waiting>()
  private streak: Streak | null = null

  constructor(log: FactLog) {
    this.log = log
  }

  click(click: Click): void {
    const waiting = this.waiting.get(click.window)
    if (waiting?.about === click.about && !waiting.responded && click.clickable) waiting.clicks += 1
    else {
      this.movedOn(click.window, click.at)
      this.waiting.set(click.window, { ...click, visit: this.log.current, responded: false, clicks: 1 })
    }
    this.follow(click)
  }

  /** Records that the page changed, which is the effect of the last click. */
  changed(window: string, at: number): void {
    const waiting = this.waiting.get(window)
    if (!waiting) return
    this.waiting.delete(window)
    const wait = at - waiting.at
    if (!waiting.clickable || wait < longWait.min || wait > longWait.max) return
    const { about, visit } = waiting
    this.log.add({ kind: 'long_wait', at: waiting.at, until: at, about, after: about, visit })
  }

  /** Records that the page responded to the last click, though it has not changed yet. */
  responded(window: string, at: number): void {
    const waiting = this.waiting.get(window)
    if (waiting && at - waiting.at <= deadAfter) waiting.responded = true
  }

  /** Records scrolling: soon after a click, the page scrolled in response; later, the person scrolled. */
  scrolled(window: string, at: number): void {
    this.responded(window, at)
    if (!this.waiting.get(window)?.responded) this.movedOn(window, at)
  }

  /** Records that the person moved on: a click without any response by then was dead. */
  movedOn(window: string, at: number): void {
    const waiting = this.waiting.get(window)
    if (!waiting) return
    this.waiting.delete(window)
    if (waiting.responded || !waiting.clickable || at - waiting.at < deadAfter) return
    const { about, visit, clicks } = waiting
    this.log.add({ kind: 'dead_click', at: waiting.at, about, visit, count: clicks })
  }

  /** Completes the facts. `ends` contains the time of each window's last data. */
  end(ends: ReadonlyMap<string, number>): void {
    for (const [window, { at }] of this.waiting) this.movedOn(window, ends.get(window) ?? at)
    this.endStreak()
  }

  private follow(click: Click): void {
    const last = this.streak?.clicks.at(-1)
    const continues =
      last?.window === click.window &&
      click.at - last.at <= rage.within &&
      // The button may have moved, for instance below a new error message.
      (click.element === last.element || Math.hypot(click.x - last.x, click.y - last.y) <= rage.distance)
    if (!continues) this.endStreak()
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
