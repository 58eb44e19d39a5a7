import { formatInstant } from '../../../contract/instant.ts'
import type { Moment, RecordingSummary, Segment } from '../../../contract/recording-summary.ts'
import { capitalized } from './english.ts'
import type { Fact, Visit } from './fact-log.ts'
import { factText } from './fact-words.ts'
import type { SessionFollower } from './follow-session.ts'
import { outcomeOf } from './outcome.ts'
import { problemLines, problemsOf } from './problem-lines.ts'
import { shortened, withoutTyped, readable } from './readable-text.ts'
import { tellStory, type Sentence } from './session-story.ts'
import { tellVisit } from './visit-story.ts'
import { pathName } from './page-path.ts'

export type Story = Pick<RecordingSummary, 'outcome' | 'sentences' | 'problems' | 'segments' | 'moments'>

/** Milliseconds since the epoch; `readUntil` when only the beginning was read. */
type Bounds = { start: number; end: number; ongoing: boolean; readUntil: number | null }

/** Puts into words what a follower has seen: the same words for the same session, and nothing that the person typed. */
export function tellSession({ log, forms }: SessionFollower, bounds: Bounds): Story {
  const { start, ongoing, readUntil } = bounds
  if (log.visits.length === 0) log.visit('', '', start)
  const clean = withoutTyped(forms.typed)
  const short = (text: string) => shortened(clean(text))
  const visits = log.visits
  const titled = visits.map((visit) => ({ ...visit, title: clean(visit.title), path: clean(visit.path) }))
  const cleaned = new Map(visits.map((visit, index) => [visit, titled[index] ?? visit]))
  const names = pageNames(titled)
  const end = readUntil ?? Math.max(bounds.end, start)
  const facts = withFrame(log.all(), visits, end).map((fact) => cleanFact(fact, cleaned, names, short))
  const problems = problemsOf(facts)
  const moments = facts.map((fact, id) => momentOf(fact, id, start, titled.indexOf(fact.visit)))
  const idOf = new Map(facts.map((fact, id) => [fact, id]))
  const pointing = ({ text, fact }: Sentence) => ({ text: capitalized(text), moment: idOf.get(fact) ?? 0 })
  const session = { facts, visits: titled, names }
  const outcome = outcomeOf({ ...session, ongoing })
  if (!outcome) throw new Error('a session has a start and an end')
  return {
    outcome: { kind: outcome.kind, ...pointing({ text: `${outcome.text}.`, fact: outcome.fact }) },
    sentences: [...tellStory(session), ...unread(facts, readUntil)].map(pointing),
    problems: problemLines(facts).map(pointing),
    segments: titled.map((visit) => segmentOf(visit, names, facts, problems, start)),
    moments,
  }
}

/** The facts between a start and an end, and with the opening of each page. */
function withFrame(facts: readonly Fact[], visits: readonly Visit[], end: number): Fact[] {
  const of = (kind: 'start' | 'page' | 'end', visit: Visit, at: number): Fact => {
    return { kind, at, until: at, count: 1, about: '', after: null, fields: [], visit }
  }
  const [first] = visits
  const last = visits.at(-1)
  if (!first || !last) return []
  const pages = visits.map((visit) => of('page', visit, visit.start))
  const between = [...pages, ...facts].toSorted((a, b) => a.at - b.at)
  return [
    of('start', first, first.start),
    ...between,
    of('end', last, Math.max(end, between.at(-1)?.at ?? end)),
  ]
}

function cleanFact(
  fact: Fact,
  visits: ReadonlyMap<Visit, Visit>,
  names: ReadonlyMap<Visit, string>,
  clean: (text: string) => string,
): Fact {
  const visit = visits.get(fact.visit) ?? fact.visit
  const about = fact.kind === 'page' ? `“${names.get(visit) ?? visit.path}”` : clean(fact.about)
  const after = fact.after === null ? null : clean(fact.after)
  return { ...fact, visit, about, after, fields: fact.fields.map(clean) }
}

function momentOf(fact: Fact, id: number, start: number, segment: number): Moment {
  const { kind, at } = fact
  const text = `${capitalized(factText(fact))}.`
  return {
    id,
    kind,
    at: secondsFrom(start, at),
    timestamp: formatInstant(at),
    text,
    segment: Math.max(segment, 0),
  }
}

function segmentOf(
  visit: Visit,
  names: ReadonlyMap<Visit, string>,
  facts: readonly Fact[],
  problems: readonly Fact[],
  start: number,
): Segment {
  const own = facts.filter((fact) => fact.visit === visit)
  const story = tellVisit(visit, own, null)?.text ?? ''
  return {
    name: visit.pages > 1 ? `${visit.pages} pages` : (names.get(visit) ?? visit.path),
    url: visit.host === '' ? visit.path : visit.host + visit.path,
    start: secondsFrom(start, visit.start),
    end: secondsFrom(start, visit.end),
    text: story === '' ? 'Passed through.' : `${capitalized(story)}.`,
    clicks: visit.clicks,
    keypresses: visit.keypresses,
    problems: problems.filter((fact) => fact.visit === visit).length,
  }
}

function unread(facts: readonly Fact[], readUntil: number | null): Sentence[] {
  const fact = facts.at(-1)
  if (readUntil === null || !fact) return []
  return [{ text: 'The recording is too long to be read in time: what came later is not told here.', fact }]
}

/** Tenths of a second are as exact as a player is. */
function secondsFrom(start: number, at: number): number {
  return Math.max(Math.round((at - start) / 100) / 10, 0)
}

const separator = /\s+[|–—·•:»-]\s+/

/**
 * Names the pages by their titles, without the site's own name that titles repeat; a page without a title, or whose title
 * says nothing since other pages have it too, by its path.
 */
function pageNames(visits: readonly Visit[]): Map<Visit, string> {
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

/** The first or last part that all titles have, of at least two. */
function sharedPart(titles: readonly string[]): string | null {
  const [first = [], ...others] = titles.map(partsOf)
  const isShared = (part: string | undefined) => others.every((parts) => parts.includes(part ?? ''))
  return others.length === 0 ? null : ([first.at(-1), first[0]].find(isShared) ?? null)
}

function partsOf(title: string): string[] {
  return title.split(separator).filter((part) => part.trim() !== '')
}
