import { expect, test } from 'vitest'
import { nextPoll, spend, type Budget, type Candidate } from './poll-schedule.ts'

const start = Date.UTC(2026, 0, 1)
const unspent: Budget = { lastAt: 0, runningUntil: 0, notBefore: 0 }

function candidate(id: string, pace: Candidate['pace'], polledAt = start, failures = 0): Candidate {
  return { id, pace, polledAt, failures }
}

/** Returns the polls of a minute in which all tabs are open, each polling whenever it is allowed to. */
function aMinute(tabs: Candidate[][], failing = false): { id: string; at: number }[] {
  const polls: { id: string; at: number }[] = []
  let budget = unspent
  for (let now = start; now < start + 60_000; now += 10)
    for (const candidates of tabs) {
      const poll = nextPoll(candidates, budget, now)
      if (!poll || poll.at > now) continue
      budget = spend(candidates, budget, now)
      const polled = candidates.find(({ id }) => id === poll.id)
      if (polled) Object.assign(polled, { polledAt: now, failures: failing ? polled.failures + 1 : 0 })
      polls.push({ id: poll.id, at: now - start })
    }
  return polls
}

test('five tabs together poll at most 60 times a minute while something runs', () => {
  const tabs = Array.from({ length: 5 }, (_, tab) =>
    ['runs', 'export', 'coverage', 'overview'].map((name) => candidate(`${tab} ${name}`, 'running')),
  )
  const polls = aMinute(tabs)
  expect(polls.length).toBeLessThanOrEqual(60)
  expect(polls.length).toBeGreaterThan(45)
})

test('five tabs together poll at most 4 times a minute while nothing runs', () => {
  const tabs = Array.from({ length: 5 }, (_, tab) => [candidate(`${tab} overview`, 'resting')])
  expect(aMinute(tabs).length).toBeLessThanOrEqual(4)
})

test('resting queries get their turn beside running ones, in the same and in another tab', () => {
  const polls = aMinute([
    [candidate('run', 'running'), candidate('logs', 'running'), candidate('overview', 'resting')],
    [candidate('other tab', 'resting')],
  ])
  const times = (id: string) => polls.filter((poll) => poll.id === id).length
  expect(times('overview')).toBeGreaterThanOrEqual(3)
  expect(times('other tab')).toBeGreaterThanOrEqual(3)
  expect(times('run')).toBeGreaterThan(20)
})

test('a failing query is polled at growing intervals', () => {
  const polls = aMinute([[candidate('runs', 'running')]], true)
  expect(polls.map(({ at }) => Math.floor(at / 1000))).toEqual([2, 6, 14, 30])
})

test('no query is polled before the time that the service asked for', () => {
  const budget = { ...unspent, notBefore: start + 40_000 }
  expect(nextPoll([candidate('runs', 'running')], budget, start)).toEqual({ id: 'runs', at: start + 40_000 })
})

test('polling continues after the clock was set back', () => {
  const budget = { ...unspent, lastAt: start + 3_600_000, runningUntil: start + 3_600_000 }
  expect(nextPoll([candidate('overview', 'resting', 0)], budget, start)?.at).toBe(start + 15_000)
})

test('without candidates there is no poll', () => {
  expect(nextPoll([], unspent, start)).toBeNull()
})
