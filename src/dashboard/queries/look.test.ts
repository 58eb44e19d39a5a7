import { expect, test } from 'vitest'
import { nextLook, spend, type Budget, type Candidate } from './look.ts'

const start = Date.UTC(2026, 0, 1)
const unspent: Budget = { lastAt: 0, runningUntil: 0, notBefore: 0 }

function candidate(id: string, pace: Candidate['pace'], lookedAt = start, failures = 0): Candidate {
  return { id, pace, lookedAt, failures }
}

/** What tabs ask for in a minute that all of them are open for, each looking whenever it may. */
function aMinute(tabs: Candidate[][], failing = false): { id: string; at: number }[] {
  const looks: { id: string; at: number }[] = []
  let budget = unspent
  for (let now = start; now < start + 60_000; now += 10)
    for (const candidates of tabs) {
      const look = nextLook(candidates, budget, now)
      if (!look || look.at > now) continue
      budget = spend(candidates, budget, now)
      const looked = candidates.find(({ id }) => id === look.id)
      if (looked) Object.assign(looked, { lookedAt: now, failures: failing ? looked.failures + 1 : 0 })
      looks.push({ id: look.id, at: now - start })
    }
  return looks
}

test('five tabs together ask at most 60 times a minute while something runs', () => {
  const tabs = Array.from({ length: 5 }, (_, tab) =>
    ['runs', 'export', 'coverage', 'overview'].map((name) => candidate(`${tab} ${name}`, 'running')),
  )
  const looks = aMinute(tabs)
  expect(looks.length).toBeLessThanOrEqual(60)
  expect(looks.length).toBeGreaterThan(45)
})

test('five tabs together ask at most 4 times a minute while nothing runs', () => {
  const tabs = Array.from({ length: 5 }, (_, tab) => [candidate(`${tab} overview`, 'resting')])
  expect(aMinute(tabs).length).toBeLessThanOrEqual(4)
})

test('what rests gets its turn beside what runs, here and in another tab', () => {
  const looks = aMinute([
    [candidate('run', 'running'), candidate('logs', 'running'), candidate('overview', 'resting')],
    [candidate('other tab', 'resting')],
  ])
  const times = (id: string) => looks.filter((look) => look.id === id).length
  expect(times('overview')).toBeGreaterThanOrEqual(3)
  expect(times('other tab')).toBeGreaterThanOrEqual(3)
  expect(times('run')).toBeGreaterThan(20)
})

test('what fails is asked for less and less', () => {
  const looks = aMinute([[candidate('runs', 'running')]], true)
  expect(looks.map(({ at }) => Math.floor(at / 1000))).toEqual([2, 6, 14, 30])
})

test('nobody asks before the time that the service has named', () => {
  const budget = { ...unspent, notBefore: start + 40_000 }
  expect(nextLook([candidate('runs', 'running')], budget, start)).toEqual({ id: 'runs', at: start + 40_000 })
})

test('a clock that was set back does not stop the looking', () => {
  const budget = { ...unspent, lastAt: start + 3_600_000, runningUntil: start + 3_600_000 }
  expect(nextLook([candidate('overview', 'resting', 0)], budget, start)?.at).toBe(start + 15_000)
})

test('nothing to look at is no look', () => {
  expect(nextLook([], unspent, start)).toBeNull()
})
