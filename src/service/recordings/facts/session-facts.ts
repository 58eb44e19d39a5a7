import { stretches, type Activity } from '../../snapshots/activity.ts'
import type { Fact, PageVisit } from './fact-log.ts'
import type { SessionFollower } from './follow-session.ts'
import { outcomeOf, type SessionOutcome } from './outcome.ts'
import { pathName } from './page-path.ts'
import { problemsOf } from './problem-lines.ts'
import { readable, shortened, withoutTyped } from './readable-text.ts'

const separator = /\s+[|–—·•:»-]\s+/

/** What is known of a session before it is read. Times are in milliseconds since the epoch. */
export type Bounds = {
  start: number
  end: number
  ongoing: boolean
  /** Where reading stopped; null when all was read. */
  readUntil: number | null
  activity: Activity
}

/** A session's facts, without anything that the person typed. */
export type SessionFacts = {
  start: number
  readUntil: number | null
  /** In order of time, from the fact of kind `start` to that of kind `end`. */
  facts: readonly Fact[]
  problems: readonly Fact[]
  visits: readonly PageVisit[]
  names: ReadonlyMap<PageVisit, string>
  /** Milliseconds of activity during each visit of a page. */
  active: ReadonlyMap<PageVisit, number>
  outcome: SessionOutcome
}

export function sessionFacts({ log, forms }: SessionFollower, bounds: Bounds): SessionFacts {
  const { start, ongoing, readUntil, activity } = bounds
  if (log.visits.length === 0) log.visit('', '', start)
  const clean = withoutTyped(forms.typed)
  const short = (text: string) => shortened(clean(text))
  const visits = log.visits.map((visit) => ({ ...visit, title: clean(visit.title), path: clean(visit.path) }))
  const cleaned = new Map(log.visits.map((visit, index) => [visit, visits[index] ?? visit]))
  const names = pageNames(visits)
  const end = readUntil ?? Math.max(bounds.end, start)
  const facts = withFrame(log.all(), log.visits, end).map((fact) => cleanFact(fact, cleaned, names, short))
  const outcome = outcomeOf({ facts, visits, names, ongoing })
  if (!outcome) throw new Error('a session must have a start and an end')
  const active = new Map(visits.map((visit) => [visit, activeDuring(visit, activity)]))
  return { start, readUntil, facts, problems: problemsOf(facts), visits, names, active, outcome }
}

/** Adds the session's start and end and the opening of each page to the facts. */
function withFrame(facts: readonly Fact[], visits: readonly PageVisit[], end: number): Fact[] {
  const of = (kind: 'start' | 'page' | 'end', visit: PageVisit, at: number): Fact => {
    return { kind, at, until: at, count: 1, about: '', after: null, fields: [], visit }
  }
  const [first] = visits
  const last = visits.at(-1)
  if (!first || !last) return []
  const pages = visits.map((visit) => of('page', visit, visit.start))
  const between = [...pages, ...facts].toSorted((a, b) => a.at - b.at)
  const until = Math.max(end, between.at(-1)?.at ?? end)
  return [of('start', first, first.start), ...between, of('end', last, until)]
}

function cleanFact(
  fact: Fact,
  visits: ReadonlyMap<PageVisit, PageVisit>,
  names: ReadonlyMap<PageVisit, string>,
  clean: (text: string) => string,
): Fact {
  const visit = visits.get(fact.visit) ?? fact.visit
  const about = fact.kind === 'page' ? `“${names.get(visit) ?? visit.path}”` : clean(fact.about)
  const after = fact.after === null ? null : clean(fact.after)
  return { ...fact, visit, about, after, fields: fact.fields.map(clean) }
}

function activeDuring({ start, end }: PageVisit, activity: Activity): number {
  return stretches(activity).reduce(
    (sum, [from, to]) => sum + Math.max(Math.min(to, end) - Math.max(from, start), 0),
    0,
  )
}

/**
 * Names pages by their titles, without the site name that titles repeat. Uses the path for a page without a title, or with
 * a title shared by other pages.
 */
function pageNames(visits: readonly PageVisit[]): Map<PageVisit, string> {
  const parts = new Map(visits.map((visit) => [visit, partsOf(visit.title)]))
  const titles = new Map(visits.map((visit) => [visit.path, visit.title]))
  const shared = sharedPart([...titles.values()].filter(Boolean))
  const names = visits.map((visit) => {
    const own = parts.get(visit)?.filter((part) => part !== shared) ?? []
    return [visit, readable(own.join(' – '), 60) ?? pathName(visit.path)] as const
  })
  const pathsOf = Map.groupBy(names, ([, name]) => name)
  const isVague = (name: string) => new Set(pathsOf.get(name)?.map(([visit]) => visit.path)).size > 1
  return new Map(names.map(([visit, name]) => [visit, isVague(name) ? pathName(visit.path) : name]))
}

/** Returns the first or last part shared by all titles, of which there must be at least two. */
function sharedPart(titles: readonly string[]): string | null {
  const [first = [], ...others] = titles.map(partsOf)
  const isShared = (part: string | undefined) => others.every((parts) => parts.includes(part ?? ''))
  return others.length === 0 ? null : ([first.at(-1), first[0]].find(isShared) ?? null)
}

function partsOf(title: string): string[] {
  return title.split(separator).filter((part) => part.trim() !== '')
}
