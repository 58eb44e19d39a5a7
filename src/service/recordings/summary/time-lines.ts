import { durationText } from '../facts/english.ts'
import type { SessionFacts } from '../facts/session-facts.ts'
import type { Sentence } from '../facts/summary-sentences.ts'

/** Pages that are listed, and shortest activity (ms) on a page that is. */
const linesMax = 5
const activeMsMin = 1000

/** Says on which pages the person was active the longest, and when they paused the longest. */
export function timeLines({ facts, visits, names, active }: SessionFacts): Sentence[] {
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
    .slice(0, linesMax)
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
