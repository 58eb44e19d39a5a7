/** How a query wants to be looked at again: often while something runs, now and then while nothing does, or never. */
export type Pace = 'running' | 'resting' | 'settled'

export type Candidate = {
  id: string
  pace: Exclude<Pace, 'settled'>
  /** Epoch milliseconds of its newest answer or failure, 0 before the first. */
  lookedAt: number
  /** Failures since its newest answer. */
  failures: number
}

/** What all tabs of a browser share; times in epoch milliseconds. */
export type Budget = {
  lastAt: number
  /** Until then something runs, in whichever tab. */
  runningUntil: number
  /** The service has asked to be left alone until then. */
  notBefore: number
}

/** 60 looks a minute while something runs, 4 while nothing does, all tabs together. */
const gapMs = { running: 1_000, resting: 15_000 } as const
/** How old an answer gets before it is looked at again, if the budget allows. */
const periodMs = { running: 2_000, resting: 15_000 } as const
const longestPeriodMs = 120_000
/** A tab that is closed or hidden while something runs stops counting after that. */
const runningMs = 5_000

/** What is hardly due lets another tab go first, where something may have waited for long. */
const yieldMs = 200

/** Which candidate is looked at next and when; null when there is none. */
export function nextLook(
  candidates: readonly Candidate[],
  budget: Budget,
  now: number,
): { id: string; at: number } | null {
  const open = Math.max(Math.min(budget.lastAt, now) + gapMs[mode(candidates, budget, now)], budget.notBefore)
  const earliest = Math.max(open, Math.min(...candidates.map(dueAt)))
  const [first] = candidates
    .filter((candidate) => dueAt(candidate) <= earliest)
    .sort((a, b) => overdue(b, earliest) - overdue(a, earliest))
  if (!first) return null
  const patience = Math.max(0, Math.min(1, 2 - overdue(first, earliest)))
  return { id: first.id, at: earliest + yieldMs * patience }
}

/** The budget after a look. */
export function spend(candidates: readonly Candidate[], budget: Budget, now: number): Budget {
  const runs = candidates.some(({ pace }) => pace === 'running')
  return { ...budget, lastAt: now, runningUntil: runs ? now + runningMs : budget.runningUntil }
}

function mode(
  candidates: readonly Candidate[],
  { runningUntil }: Budget,
  now: number,
): 'running' | 'resting' {
  const here = candidates.some(({ pace }) => pace === 'running')
  return here || (now < runningUntil && runningUntil <= now + runningMs) ? 'running' : 'resting'
}

function period({ pace, failures }: Candidate): number {
  return Math.min(periodMs[pace] * 2 ** failures, longestPeriodMs)
}

function dueAt(candidate: Candidate): number {
  return candidate.lookedAt + period(candidate)
}

/** In periods, so that what rests gets its turn beside what runs. */
function overdue(candidate: Candidate, at: number): number {
  return (at - candidate.lookedAt) / period(candidate)
}
