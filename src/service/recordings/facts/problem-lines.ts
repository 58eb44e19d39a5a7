import { asSentence, spelledCount } from './english.ts'
import type { Fact } from './fact-log.ts'
import { factText, problemKinds } from './fact-text.ts'
import type { Sentence } from './summary-sentences.ts'

const linesMax = 8
/** Delay (ms) between an exception and its console message. */
const sameErrorMs = 3000

/** Lists each distinct problem once with its count, in order of first occurrence. */
export function problemLines(facts: readonly Fact[]): Sentence[] {
  const problems = problemsOf(facts)
  const groups = Map.groupBy(problems, ({ kind, about, after }) => JSON.stringify([kind, about, after]))
  const lines = [...groups.values()].flatMap((group) => {
    const [fact] = group
    const count = fact?.kind === 'rage_click' ? fact.count : group.reduce((sum, each) => sum + each.count, 0)
    return fact ? [{ text: asSentence(factText({ ...fact, count })), fact }] : []
  })
  const next = lines[linesMax - 1]
  if (lines.length <= linesMax || !next) return lines
  const more = `And ${spelledCount(lines.length - linesMax + 1, 'more problem')}.`
  return [...lines.slice(0, linesMax - 1), { text: more, fact: next.fact }]
}

/** Filters the problems; an exception that is also a console error counts once. */
export function problemsOf(facts: readonly Fact[]): Fact[] {
  const exceptions = facts.filter(({ kind }) => kind === 'exception')
  const isException = ({ about, at }: Fact) =>
    exceptions.some(
      (exception) =>
        Math.abs(exception.at - at) <= sameErrorMs &&
        (exception.about.includes(about) ||
          about.includes(exception.about) ||
          about.includes(lastPart(exception.about))),
    )
  return facts.filter(
    (fact) => problemKinds.has(fact.kind) && !(fact.kind === 'console_error' && isException(fact)),
  )
}

/** Returns a message without its error type: `x is undefined` for `TypeError x is undefined`. */
function lastPart(message: string): string {
  return message.replace(/^\w*(Error|Exception):? /, '')
}
