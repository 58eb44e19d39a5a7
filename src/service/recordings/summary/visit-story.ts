import type { MomentKind } from '../../../contract/recording-summary.ts'
import { spelledCount, listed, span, timesOver } from './english.ts'
import type { Fact, Visit } from './fact-log.ts'

export type VisitStory = {
  visit: Visit
  /** What the person did there, as the rest of a sentence after "they"; "" when they only passed. */
  text: string
  /** The moment that a sentence about it points at. */
  fact: Fact
  /** How much there is to tell. */
  weight: number
}

const weights: Partial<Record<MomentKind, number>> = {
  click: 1,
  typed: 2,
  long_wait: 3,
  dead_click: 3,
  rage_click: 5,
  exception: 5,
  failed_request: 5,
  event: 4,
  submitted: 6,
}
/** Clauses in a sentence. */
const clausesMax = 5
/** Milliseconds of looking at a page that are worth a word. */
const stayMin = 10_000

/** What happened on one page; `facts` are those of the visit, in order of time, `next` is the page after it, in words. */
export function tellVisit(visit: Visit, facts: readonly Fact[], next: string | null): VisitStory | null {
  const [first] = facts
  if (!first) return null
  const telling = withoutRepeats(facts.filter(({ kind }) => weights[kind] !== undefined))
  const last = telling.at(-1)
  // That the link to the next page was clicked goes without saying.
  const told = last?.kind === 'click' && last.about === next ? telling.slice(0, -1) : telling
  const clauses = joinedRuns(told).reduce<string[]>(withClause, [])
  const shown = clauses.length > clausesMax ? [...clauses.slice(0, 3), ...clauses.slice(-1)] : clauses
  const weight = told.reduce((sum, { kind, count }) => sum + (weights[kind] ?? 0) + Math.min(count - 1, 3), 0)
  const heaviest = told.reduce((best, fact) => (rank(fact) > rank(best) ? fact : best), first)
  return { visit, text: listed(shown, clausesMax + 1) || stayed(visit), fact: heaviest, weight }
}

/** A fact that another one tells better: clicks in rage are clicks too, and a click that is awaited or sends a form as well. */
function withoutRepeats(facts: readonly Fact[]): Fact[] {
  const better = facts.filter(({ kind }) => kind !== 'click' && kind !== 'typed')
  return facts.filter((fact) => {
    if (fact.kind === 'typed')
      return !better.some(({ kind, fields }) => kind === 'submitted' && fields.includes(fact.about))
    if (fact.kind !== 'click') return true
    return !better.some(
      ({ kind, about, at, until }) =>
        about === fact.about && kind !== 'event' && at <= fact.until + 1000 && until >= fact.at - 1000,
    )
  })
}

/** Clicks one after the other are told together, as is what was filled in. */
function joinedRuns(facts: readonly Fact[]): Fact[][] {
  const runs: Fact[][] = []
  for (const fact of facts) {
    const last = runs.at(-1)
    const joins = fact.kind === 'click' || fact.kind === 'typed' || fact.kind === 'event'
    if (joins && last?.[0]?.kind === fact.kind) last.push(fact)
    else runs.push([fact])
  }
  return runs
}

/** What the site recorded is told with what caused it. */
function withClause(clauses: readonly string[], run: readonly Fact[]): string[] {
  const last = clauses.at(-1)
  if (run[0]?.kind !== 'event' || last === undefined) return [...clauses, clauseOf(run)]
  return [...clauses.slice(0, -1), `${last} (recorded as ${listed(counts(run))})`]
}

function clauseOf(run: readonly Fact[]): string {
  const [fact] = run
  if (!fact) return ''
  const { kind, about, count, after, fields } = fact
  const length = span(fact.until - fact.at)
  if (kind === 'click') return `clicked ${listed(counts(run))}`
  if (kind === 'typed') return `filled in ${listed([...new Set(run.map((each) => each.about))], 4, 'field')}`
  if (kind === 'submitted') return `sent ${listed(fields, 4, 'field')} with ${about}`
  if (kind === 'event') return `caused ${listed(counts(run))}`
  if (kind === 'rage_click') return `clicked ${about} ${spelledCount(count, 'time')} in ${length}`
  if (kind === 'dead_click') return `clicked ${about} without effect`
  if (kind === 'failed_request') return `saw a request fail (${about})`
  if (kind === 'exception') return 'met an error of the page'
  return after === null ? `waited ${length} for the page` : `waited ${length} after clicking ${about}`
}

/** Each thing once, with how often. */
function counts(run: readonly Fact[]): string[] {
  const sums = new Map<string, number>()
  for (const { about, count } of run) sums.set(about, (sums.get(about) ?? 0) + count)
  return [...sums].map(([about, count]) => about + timesOver(count))
}

function stayed({ start, end, screens }: Visit): string {
  if (screens >= 1) return `scrolled down ${spelledCount(Math.round(screens), 'screen')}`
  return end - start >= stayMin ? `stayed for ${span(end - start)}` : ''
}

function rank({ kind }: Fact): number {
  return weights[kind] ?? 0
}
