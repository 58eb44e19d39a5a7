import type { MomentKind } from '../../../contract/recording-summary.ts'
import { pagePath } from './page-path.ts'

/** One page as the person used it, from arriving to leaving. Times in milliseconds since the epoch. */
export type Visit = {
  window: string
  /** As `pagePath` gives it; "" while it is not known. */
  path: string
  host: string
  title: string
  start: number
  end: number
  clicks: number
  keypresses: number
  /** Screens scrolled down. */
  screens: number
  /** How many pages it stands for: more than one where a long session was folded. */
  pages: number
  foldedInto: Visit | null
}

/** Something that happened. */
export type Fact = {
  kind: MomentKind
  /** Milliseconds since the epoch: the first and the last time. */
  at: number
  until: number
  /** How often in a row. */
  count: number
  /** What it is about, in words: an element, a field, an event's name, a message, a request. */
  about: string
  /** What it followed at once, in words. */
  after: string | null
  /** A form's fields, in words. */
  fields: readonly string[]
  visit: Visit
}

type NewFact = Pick<Fact, 'kind' | 'at' | 'about'> & Partial<Fact>

/** Of each kind, the first and the last of so many are kept; so are visits. */
const factsMax = 100
const visitsMax = 120
const visitsKept = 50
/** The same again within this time (milliseconds) is one fact that happened more often. */
const againMax = 10_000
const repeating = new Set<MomentKind>(['click', 'console_error', 'exception', 'failed_request', 'event'])
/** What was clicked up to so long ago may have led to it. */
const causeMax = 5000

/** What happened in a session, in bounded memory however long it was. */
export class FactLog {
  readonly visits: Visit[] = []
  private readonly kinds = new Map<MomentKind, Fact[]>()
  private lastClick: { about: string; at: number } | null = null

  /** Opens the visit of a page; `href` is "" while it is not known. */
  visit(window: string, href: string, at: number): Visit {
    const previous = this.visits.at(-1)
    const host = URL.canParse(href) ? new URL(href).host : ''
    const path = href === '' ? '' : pagePath(href)
    // What came before the first page belongs to it.
    if (previous?.path === '') return Object.assign(previous, { window, host, path })
    if (previous) previous.end = Math.max(at, previous.start)
    const visit = { window, path, host, title: '', start: at, end: at }
    this.visits.push({ ...visit, clicks: 0, keypresses: 0, screens: 0, pages: 1, foldedInto: null })
    if (this.visits.length > visitsMax) this.fold()
    return this.current
  }

  get current(): Visit {
    const visit = this.visits.at(-1)
    if (!visit) throw new Error('a session begins with a visit')
    return visit
  }

  add({ kind, at, about, ...more }: NewFact): void {
    const facts = this.kinds.get(kind) ?? []
    this.kinds.set(kind, facts)
    const last = facts.at(-1)
    const visit = more.visit ?? this.current
    const isAgain = last?.about === about && last.visit === visit && at - last.until <= againMax
    if (last && isAgain && repeating.has(kind)) {
      last.count += 1
      last.until = at
    } else facts.push({ kind, at, until: at, count: 1, about, after: null, fields: [], ...more, visit })
    if (facts.length > factsMax) facts.splice(factsMax / 2, 1)
    if (kind === 'click') this.lastClick = { about, at }
  }

  /** What was clicked just before, in words. */
  cause(at: number): string | null {
    return this.lastClick && at - this.lastClick.at <= causeMax ? this.lastClick.about : null
  }

  of(kind: MomentKind): readonly Fact[] {
    return this.kinds.get(kind) ?? []
  }

  /** In order of time; a fact of a visit that was folded belongs to the one that stands for it. */
  all(): Fact[] {
    const facts = [...this.kinds.values()].flat().toSorted((a, b) => a.at - b.at)
    return facts.map((fact) => ({ ...fact, visit: fact.visit.foldedInto ?? fact.visit }))
  }

  /** Puts the visits in the middle together. */
  private fold(): void {
    const [into, ...others] = this.visits.splice(visitsKept, this.visits.length - visitsKept - visitsKept)
    if (!into) return
    for (const other of others) {
      other.foldedInto = into
      into.end = other.end
      into.clicks += other.clicks
      into.keypresses += other.keypresses
      into.pages += other.pages
    }
    this.visits.splice(visitsKept, 0, into)
  }
}
