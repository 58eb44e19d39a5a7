import { formatInstant } from '../../../contract/instant.ts'
import type { Moment, RecordingSummary, Segment } from '../../../contract/recording-summary.ts'
import { capitalized } from './english.ts'
import type { Fact, PageVisit } from './fact-log.ts'
import { factText } from './fact-text.ts'
import type { SessionFollower } from './follow-session.ts'
import { outcomeOf } from './outcome.ts'
import { problemLines, problemsOf } from './problem-lines.ts'
import { shortened, withoutTyped, readable } from './readable-text.ts'
import { summarySentences, type Sentence } from './summary-sentences.ts'
import { describeVisit } from './describe-visit.ts'
import { pathName } from './page-path.ts'

/** The parts of a summary that rules compute, without a language model. */
export type RuleSummary = Pick<
  RecordingSummary,
  'outcome' | 'sentences' | 'problems' | 'segments' | 'moments'
>

/** Times in milliseconds since the epoch; `readUntil` is set when only the start was read. */
type Bounds = { start: number; end: number; ongoing: boolean; readUntil: number | null }

/** Summarizes a session by rules: deterministic, and without anything that the person typed. */
export function ruleSummary({ log, forms }: SessionFollower, bounds: Bounds): RuleSummary {
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
  const linked = ({ text, fact }: Sentence) => ({ text: capitalized(text), moment: idOf.get(fact) ?? 0 })
  const session = { facts, visits: titled, names }
  const outcome = outcomeOf({ ...session, ongoing })
  if (!outcome) throw new Error('a session must have a start and an end')
  return {
    outcome: { kind: outcome.kind, ...linked({ text: `${outcome.text}.`, fact: outcome.fact }) },
    sentences: [...summarySentences(session), ...unreadNote(facts, readUntil)].map(linked),
    problems: problemLines(facts).map(linked),
    segments: titled.map((visit) => segmentOf(visit, names, facts, problems, start)),
    moments,
  }
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
  return [
    of('start', first, first.start),
    ...between,
    of('end', last, Math.max(end, between.at(-1)?.at ?? end)),
  ]
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
  visit: PageVisit,
  names: ReadonlyMap<PageVisit, string>,
  facts: readonly Fact[],
  problems: readonly Fact[],
  start: number,
): Segment {
  const own = facts.filter((fact) => fact.visit === visit)
  const description = describeVisit(visit, own, null)?.text ?? ''
  return {
    name: visit.pages > 1 ? `${visit.pages} pages` : (names.get(visit) ?? visit.path),
    url: visit.host === '' ? visit.path : visit.host + visit.path,
    start: secondsFrom(start, visit.start),
    end: secondsFrom(start, visit.end),
    text: description === '' ? 'Passed through.' : `${capitalized(description)}.`,
    clicks: visit.clicks,
    keypresses: visit.keypresses,
    problems: problems.filter((fact) => fact.visit === visit).length,
  }
}

function unreadNote(facts: readonly Fact[], readUntil: number | null): Sentence[] {
  const fact = facts.at(-1)
  if (readUntil === null || !fact) return []
  return [
    { text: 'The recording is too long to read in full: this summary covers only its first part.', fact },
  ]
}

/** Returns seconds from the start, rounded to the player's precision of a tenth. */
function secondsFrom(start: number, at: number): number {
  return Math.max(Math.round((at - start) / 100) / 10, 0)
}

const separator = /\s+[|–—·•:»-]\s+/

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
