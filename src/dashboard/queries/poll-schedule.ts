/** How a query is polled: often while something runs, rarely while nothing does, or not at all. */
export type Pace = 'running' | 'resting' | 'settled'

export type Candidate = {
  id: string
  pace: Exclude<Pace, 'settled'>
  /** Epoch milliseconds of the newest response or failure; 0 before the first. */
  polledAt: number
  /** Failures since the newest response. */
  failures: number
}

/** The request budget that all tabs of a browser share; times in epoch milliseconds. */
export type Budget = {
  /** Time of the last poll. */
  lastAt: number
  /** Until then, something is running in at least one tab. */
  runningUntil: number
  /** The service asked clients to wait until then. */
  notBefore: number
}

/** Time (ms) between two polls of all tabs together: 60 polls a minute while something runs, else 4. */
const gapMs = { running: 1_000, resting: 15_000 } as const
/** Age (ms) at which data is due for polling, if the budget allows. */
const periodMs = { running: 2_000, resting: 15_000 } as const
const periodMsMax = 120_000
/** Time (ms) after which a tab that was closed or hidden while something ran stops counting as running. */
const runningMs = 5_000

/** Longest delay (ms) of a poll that is barely due, so that another tab with an older candidate can go first. */
const yieldMs = 200

/** Returns the candidate to poll next and when to poll it; null without candidates. */
export function nextPoll(candidates: readonly Candidate[], budget: Budget, now: number) {
  const open = Math.max(Math.min(budget.lastAt, now) + gapMs[mode(candidates, budget, now)], budget.notBefore)
  const earliest = Math.max(open, Math.min(...candidates.map(dueAt)))
  const [first] = candidates
    .filter((candidate) => dueAt(candidate) <= earliest)
    .sort((a, b) => overdue(b, earliest) - overdue(a, earliest))
  if (!first) return null
  const patience = Math.max(0, Math.min(1, 2 - overdue(first, earliest)))
  return { id: first.id, at: earliest + yieldMs * patience }
}

/** Returns the budget after a poll. */
export function spend(candidates: readonly Candidate[], budget: Budget, now: number): Budget {
  const runs = candidates.some(({ pace }) => pace === 'running')
  return { ...budget, lastAt: now, runningUntil: runs ? now + runningMs : budget.runningUntil }
}

function mode(candidates: readonly Candidate[], { runningUntil }: Budget, now: number) {
  const here = candidates.some(({ pace }) => pace === 'running')
  return here || (now < runningUntil && runningUntil <= now + runningMs) ? 'running' : 'resting'
}

function period({ pace, failures }: Candidate): number {
  return Math.min(periodMs[pace] * 2 ** failures, periodMsMax)
}

function dueAt(candidate: Candidate): number {
  return candidate.polledAt + period(candidate)
}

/** Returns a candidate's age in periods, so that resting queries get their turn beside running ones. */
function overdue(candidate: Candidate, at: number): number {
  return (at - candidate.polledAt) / period(candidate)
}
