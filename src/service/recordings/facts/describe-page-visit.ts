import type { MomentKind } from '../../../contract/recordings/recording-summary.ts'
import { spelledCount, listed, durationText, timesText } from './english.ts'
import type { Fact, PageVisit } from './fact-log.ts'

export type PageVisitDescription = {
  visit: PageVisit
  /** What the person did on the page, as a sentence's continuation after "they"; "" if nothing notable. */
  text: string
  /** Fact that a sentence about the visit links to. */
  fact: Fact
  /** Amount of notable activity. */
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
/** Clauses per sentence. */
const clausesMax = 5
/** Shortest stay (ms) without other activity that is mentioned. */
const stayMsMin = 10_000

/** Describes a visit. `facts` are the visit's facts in order of time, `next` is the next page's name in quotes. */
export function describePageVisit(
  visit: PageVisit,
  facts: readonly Fact[],
  next: string | null,
): PageVisitDescription | null {
  const [first] = facts
  if (!first) return null
  const notable = withoutRepeats(facts.filter(({ kind }) => weights[kind] !== undefined))
  const last = notable.at(-1)
  // Omits the click on the link to the next page, which is obvious.
  const described = last?.kind === 'click' && last.about === next ? notable.slice(0, -1) : notable
  const clauses = joinedRuns(described).reduce<string[]>(withClause, [])
  const shown = clauses.length > clausesMax ? [...clauses.slice(0, 3), ...clauses.slice(-1)] : clauses
  const weight = described.reduce(
    (sum, { kind, count }) => sum + (weights[kind] ?? 0) + Math.min(count - 1, 3),
    0,
  )
  const heaviest = described.reduce((best, fact) => (rank(fact) > rank(best) ? fact : best), first)
  return { visit, text: listed(shown, clausesMax + 1) || stayed(visit), fact: heaviest, weight }
}

/** Drops clicks and inputs covered by a more specific fact, such as a rage click, a long wait or a submitted form. */
function withoutRepeats(facts: readonly Fact[]): Fact[] {
  const specific = facts.filter(({ kind }) => kind !== 'click' && kind !== 'typed')
  return facts.filter((fact) => {
    if (fact.kind === 'typed')
      return !specific.some(({ kind, fields }) => kind === 'submitted' && fields.includes(fact.about))
    if (fact.kind !== 'click') return true
    return !specific.some(
      ({ kind, about, at, until }) =>
        about === fact.about && kind !== 'event' && at <= fact.until + 1000 && until >= fact.at - 1000,
    )
  })
}

/** Groups consecutive clicks, filled-in fields and events. */
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

/** Adds a run's clause; attaches captured events to the clause of their cause. */
function withClause(clauses: readonly string[], run: readonly Fact[]): string[] {
  const last = clauses.at(-1)
  if (run[0]?.kind !== 'event' || last === undefined) return [...clauses, clauseOf(run)]
  return [...clauses.slice(0, -1), `${last} (recorded as ${listed(counts(run))})`]
}

function clauseOf(run: readonly Fact[]): string {
  const [fact] = run
  if (!fact) return ''
  const { kind, about, count, after, fields } = fact
  const length = durationText(fact.until - fact.at)
  if (kind === 'click') return `clicked ${listed(counts(run))}`
  if (kind === 'typed') return `filled in ${listed([...new Set(run.map((each) => each.about))], 4, 'field')}`
  if (kind === 'submitted') return `submitted ${listed(fields, 4, 'field')} with ${about}`
  if (kind === 'event') return `triggered ${listed(counts(run))}`
  if (kind === 'rage_click') return `clicked ${about} ${spelledCount(count, 'time')} in ${length}`
  if (kind === 'dead_click') return `clicked ${about} without effect`
  if (kind === 'failed_request') return `saw a request fail (${about})`
  if (kind === 'exception') return 'ran into a page error'
  return after === null ? `waited ${length} for the page` : `waited ${length} after clicking ${about}`
}

/** Lists each distinct subject with its count. */
function counts(run: readonly Fact[]): string[] {
  const sums = new Map<string, number>()
  for (const { about, count } of run) sums.set(about, (sums.get(about) ?? 0) + count)
  return [...sums].map(([about, count]) => about + timesText(count))
}

function stayed({ start, end, screens }: PageVisit): string {
  if (screens >= 1) return `scrolled down ${spelledCount(Math.round(screens), 'screen')}`
  return end - start >= stayMsMin ? `stayed for ${durationText(end - start)}` : ''
}

function rank({ kind }: Fact): number {
  return weights[kind] ?? 0
}
