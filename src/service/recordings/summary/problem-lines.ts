import { spelledCount } from './english.ts'
import type { Fact } from './fact-log.ts'
import { factText, problemKinds } from './fact-words.ts'
import type { Sentence } from './session-story.ts'

const linesMax = 8
/** Milliseconds between an exception and its line on the console. */
const sameError = 3000

/** What went wrong, each thing once with how often, in order of its first time. */
export function problemLines(facts: readonly Fact[]): Sentence[] {
  const problems = problemsOf(facts)
  const groups = [
    ...Map.groupBy(problems, ({ kind, about, after }) => JSON.stringify([kind, about, after])).values(),
  ]
  const lines = groups.flatMap((group) => {
    const [fact] = group
    const count = fact?.kind === 'rage_click' ? fact.count : group.reduce((sum, each) => sum + each.count, 0)
    return fact ? [{ text: `${factText({ ...fact, count })}.`, fact }] : []
  })
  const next = lines[linesMax - 1]
  if (lines.length <= linesMax || !next) return lines
  const more = `And ${spelledCount(lines.length - linesMax + 1, 'more problem')}.`
  return [...lines.slice(0, linesMax - 1), { text: more, fact: next.fact }]
}

/** The problems among the facts; an exception that the console shows as well is one. */
export function problemsOf(facts: readonly Fact[]): Fact[] {
  const exceptions = facts.filter(({ kind }) => kind === 'exception')
  const isException = ({ about, at }: Fact) =>
    exceptions.some(
      (exception) =>
        Math.abs(exception.at - at) <= sameError &&
        (exception.about.includes(about) ||
          about.includes(exception.about) ||
          about.includes(lastPart(exception.about))),
    )
  return facts.filter(
    (fact) => problemKinds.has(fact.kind) && !(fact.kind === 'console_error' && isException(fact)),
  )
}

/** `x is undefined` of `TypeError x is undefined`. */
function lastPart(message: string): string {
  return message.replace(/^\w*(Error|Exception):? /, '')
}
