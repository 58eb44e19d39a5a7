import type { LogEntry } from '../../../contract/runs/log-entry.ts'

export type Attempt = {
  number: number
  startedAt: string
  /** null while the attempt runs. */
  endedAt: string | null
  /** The result, as logged; null while the attempt runs. */
  outcome: string | null
  tone: 'ok' | 'failed' | 'running' | 'quiet'
}

const endings: readonly (readonly [RegExp, Attempt['tone']])[] = [
  [/^Completed: /, 'ok'],
  [/^Failed: /, 'failed'],
  [/^Timed out: /, 'failed'],
  [/^Attempt \d+ failed: /, 'failed'],
  [/^(?=Cancelled|Terminated|Handed back|Taken over)/, 'quiet'],
]

/** Returns a run's attempts, oldest first, parsed from its log lines, newest first. */
export function attemptsIn(lines: readonly LogEntry[]): Attempt[] {
  const attempts: Attempt[] = []
  for (const { message, timestamp } of lines.toReversed()) {
    const number = /^Attempt (\d+) started/.exec(message)?.[1]
    if (number) {
      attempts.push({
        number: Number(number),
        startedAt: timestamp,
        endedAt: null,
        outcome: null,
        tone: 'running',
      })
      continue
    }
    const last = attempts.at(-1)
    const ending = endings.find(([pattern]) => pattern.test(message))
    if (!last || last.endedAt !== null || !ending) continue
    const [prefix, tone] = ending
    const words = message.replace(prefix, '')
    Object.assign(last, { endedAt: timestamp, outcome: words.charAt(0).toUpperCase() + words.slice(1), tone })
  }
  return attempts
}
