import { formatInstant } from '../../../contract/instant.ts'
import type { Moment, RecordingSummary, Segment } from '../../../contract/recordings/recording-summary.ts'
import { capitalized, asSentence, durationText } from '../facts/english.ts'
import type { Fact, PageVisit } from '../facts/fact-log.ts'
import { factText } from '../facts/fact-text.ts'
import { pageUrl } from '../facts/page-path.ts'
import { problemLines } from '../facts/problem-lines.ts'
import type { SessionFacts } from '../facts/session-facts.ts'
import { summarySentences, type Sentence } from '../facts/summary-sentences.ts'
import { describePageVisit } from '../facts/describe-page-visit.ts'

/** The parts of a summary that rules compute, without a language model. */
export type RuleSummary = Pick<
  RecordingSummary,
  'outcome' | 'sentences' | 'problems' | 'time' | 'segments' | 'moments'
>

/** Pages that are listed, and shortest activity (ms) on a page that is. */
const timeLinesMax = 5
const activeMsMin = 1000

/** Summarizes a session by rules: deterministic, and without anything that the person typed. */
export function ruleSummary(session: SessionFacts): RuleSummary {
  const { start, readUntil, facts, visits, outcome } = session
  const moments = facts.map((fact, id) => momentOf(fact, id, start, visits.indexOf(fact.visit)))
  const idOf = new Map(facts.map((fact, id) => [fact, id]))
  const linked = ({ text, fact }: Sentence) => ({ text: capitalized(text), moment: idOf.get(fact) ?? 0 })
  return {
    outcome: { kind: outcome.kind, ...linked({ text: asSentence(outcome.text), fact: outcome.fact }) },
    sentences: [...summarySentences(session), ...unreadNote(facts, readUntil)].map(linked),
    problems: problemLines(facts).map(linked),
    time: timeLines(session).map(linked),
    segments: visits.map((visit) => segmentOf(visit, session)),
    moments,
  }
}

function momentOf(fact: Fact, id: number, start: number, segment: number): Moment {
  const { kind, at } = fact
  const times = { at: secondsFrom(start, at), timestamp: formatInstant(at) }
  return { id, kind, ...times, text: asSentence(capitalized(factText(fact))), segment: Math.max(segment, 0) }
}

function segmentOf(visit: PageVisit, { start, facts, problems, names, active }: SessionFacts): Segment {
  const own = facts.filter((fact) => fact.visit === visit)
  const description = describePageVisit(visit, own, null)?.text ?? ''
  return {
    name: visit.pages > 1 ? `${visit.pages} pages` : (names.get(visit) ?? visit.path),
    url: pageUrl(visit),
    start: secondsFrom(start, visit.start),
    end: secondsFrom(start, visit.end),
    active: Math.round((active.get(visit) ?? 0) / 100) / 10,
    text: description === '' ? 'Passed through.' : asSentence(capitalized(description)),
    clicks: visit.clicks,
    keypresses: visit.keypresses,
    problems: problems.filter((fact) => fact.visit === visit).length,
  }
}

function unreadNote(facts: readonly Fact[], readUntil: number | null): Sentence[] {
  const fact = facts.at(-1)
  if (readUntil === null || !fact) return []
  const text = 'The recording is too long to read in full: this summary covers only its first part.'
  return [{ text, fact }]
}

/** Says on which pages the person was active the longest, and when they paused the longest. */
function timeLines({ facts, visits, names, active }: SessionFacts): Sentence[] {
  const groups = [...Map.groupBy(visits, (visit) => names.get(visit) ?? visit.path)]
  const pages = groups
    .map(([name, own]) => ({
      name,
      time: own.reduce((sum, visit) => sum + (active.get(visit) ?? 0), 0),
      fact: facts.find(({ kind, visit }) => kind === 'page' && own.includes(visit)),
    }))
    .filter(({ time }) => time >= activeMsMin)
    .toSorted((a, b) => b.time - a.time)
  const lines = pages
    .slice(0, timeLinesMax)
    .flatMap(({ name, time, fact }) =>
      fact ? [{ text: `Active for ${durationText(time)} on “${name}”.`, fact }] : [],
    )
  const pauses = facts.filter(({ kind }) => kind === 'idle')
  const [longest] = pauses.toSorted((a, b) => b.until - b.at - (a.until - a.at))
  if (!longest) return lines
  const place = names.get(longest.visit) ?? longest.visit.path
  const text = `The longest pause was ${durationText(longest.until - longest.at)}, on “${place}”.`
  return [...lines, { text, fact: longest }]
}

/** Returns seconds from the start, rounded to the player's precision of a tenth. */
function secondsFrom(start: number, at: number): number {
  return Math.max(Math.round((at - start) / 100) / 10, 0)
}
