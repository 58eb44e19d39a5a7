import type { MomentKind } from '../../../contract/recordings/recording-summary.ts'
import type { stripBits } from '../../../contract/recordings/recording-facts.ts'
import type { ActivityStrip } from './activity-strip.ts'
import { pagePath } from './page-path.ts'

/** One stay on a page, from opening to leaving it. Times are in milliseconds since the epoch. */
export type PageVisit = {
  window: string
  /** Result of `pagePath`; "" while unknown. */
  path: string
  host: string
  title: string
  start: number
  end: number
  clicks: number
  keypresses: number
  /** Screens scrolled down. */
  screens: number
  /** Number of pages it represents: more than one if visits of a long session were merged. */
  pages: number
  mergedInto: PageVisit | null
}

/** Something that happened in the session. */
export type Fact = {
  kind: MomentKind
  /** Times of the first and last occurrence, in milliseconds since the epoch. */
  at: number
  until: number
  /** Number of consecutive occurrences. */
  count: number
  /** Subject as text: an element, a field, an event's name, a message or a request. */
  about: string
  /** Element whose click it followed, as text. */
  after: string | null
  /** A form's fields, as text. */
  fields: readonly string[]
  visit: PageVisit
}

type NewFact = Pick<Fact, 'kind' | 'at' | 'about'> & Partial<Fact>

/** Facts kept per kind, and visits kept: the first and the last of them. */
const factsMax = 100
const visitsMax = 120
const visitsKept = 50
/** Repeats within this time (ms) raise the count of the same fact. */
const repeatGapMsMax = 10_000
const repeating = new Set<MomentKind>(['click', 'console_error', 'exception', 'failed_request', 'event'])
/** Time (ms) within which a click may have caused a fact. */
const causeMsMax = 5000

/** Kinds of facts that the strip shows. */
const signs: Partial<Record<MomentKind, keyof typeof stripBits>> = {
  rage_click: 'rage',
  console_error: 'error',
  exception: 'error',
  failed_request: 'request',
}

/** Facts and page visits of a session, in bounded memory regardless of its length. */
export class FactLog {
  readonly visits: PageVisit[] = []
  readonly strip: ActivityStrip
  private readonly kinds = new Map<MomentKind, Fact[]>()
  private lastClick: { about: string; at: number } | null = null

  constructor(strip: ActivityStrip) {
    this.strip = strip
  }

  /** Starts a visit to a page; `href` is "" while unknown. */
  visit(window: string, href: string, at: number): PageVisit {
    const previous = this.visits.at(-1)
    const host = URL.canParse(href) ? new URL(href).host : ''
    const path = href === '' ? '' : pagePath(href)
    // Facts from before the first page belong to that page.
    if (previous?.path === '') return Object.assign(previous, { window, host, path })
    if (previous) {
      previous.end = Math.max(at, previous.start)
      this.strip.mark('page', at)
    }
    const visit = { window, path, host, title: '', start: at, end: at }
    this.visits.push({ ...visit, clicks: 0, keypresses: 0, screens: 0, pages: 1, mergedInto: null })
    if (this.visits.length > visitsMax) this.mergeVisits()
    return this.current
  }

  get current(): PageVisit {
    const visit = this.visits.at(-1)
    if (!visit) throw new Error('a session must start with a visit')
    return visit
  }

  add({ kind, at, about, ...more }: NewFact): void {
    const sign = signs[kind]
    if (sign) this.strip.mark(sign, at)
    const facts = this.kinds.get(kind) ?? []
    this.kinds.set(kind, facts)
    const last = facts.at(-1)
    const visit = more.visit ?? this.current
    const isRepeat = last?.about === about && last.visit === visit && at - last.until <= repeatGapMsMax
    if (last && isRepeat && repeating.has(kind)) {
      last.count += 1
      last.until = at
    } else facts.push({ kind, at, until: at, count: 1, about, after: null, fields: [], ...more, visit })
    if (facts.length > factsMax) facts.splice(factsMax / 2, 1)
    if (kind === 'click') this.lastClick = { about, at }
  }

  /** Returns the element clicked just before, as text. */
  cause(at: number): string | null {
    return this.lastClick && at - this.lastClick.at <= causeMsMax ? this.lastClick.about : null
  }

  of(kind: MomentKind): readonly Fact[] {
    return this.kinds.get(kind) ?? []
  }

  /** Returns all facts in order of time; those of merged visits belong to the visit that replaced them. */
  all(): Fact[] {
    const facts = [...this.kinds.values()].flat().toSorted((a, b) => a.at - b.at)
    return facts.map((fact) => ({ ...fact, visit: fact.visit.mergedInto ?? fact.visit }))
  }

  /** Merges the visits in the middle. */
  private mergeVisits(): void {
    const [into, ...others] = this.visits.splice(visitsKept, this.visits.length - visitsKept - visitsKept)
    if (!into) return
    for (const other of others) {
      other.mergedInto = into
      into.end = other.end
      into.clicks += other.clicks
      into.keypresses += other.keypresses
      into.pages += other.pages
    }
    this.visits.splice(visitsKept, 0, into)
  }
}
