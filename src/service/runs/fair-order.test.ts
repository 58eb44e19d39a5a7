import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairest, type Load, type RunningRun } from './fair-order.ts'
import type { RunTurn } from './waiting-runs.ts'

const run = (project_id: number, turn: Partial<RunTurn & RunningRun> = {}): RunTurn & RunningRun => ({
  project_id,
  created_at: new Date(0),
  urgency: 1,
  store: null,
  place: null,
  waits: false,
  ...turn,
})
const load = (running: Load['running'], lastStarts: [number, number][] = []): Load => ({
  running,
  lastStarts: new Map(lastStarts),
  workers: 4,
})
const backlog = Array.from({ length: 1000 }, (_, index) => run(1, { created_at: new Date(index) }))
const later = new Date(5000)

test('a thousand queued runs of a project do not delay the single run of another', () => {
  const single = run(2, { urgency: 2, created_at: later })
  expect(fairest([...backlog, single], load([run(1)]))).toBe(single)
  // With one worker, no other run is running when the next one starts.
  expect(fairest([...backlog, single], load([], [[1, 7]]))).toBe(single)
})

test('a project uses all workers while no other project waits', () => {
  expect(fairest(backlog, load([run(1), run(1), run(1)]))).toBe(backlog[0])
})

test('a bucket uses at most half of the workers while runs of other buckets wait', () => {
  const hung = run(1, { place: 'http://store hung' })
  const healthy = run(1, { place: 'http://store healthy', urgency: 2, created_at: later })
  expect(fairest([hung, healthy], load([hung]))).toBe(hung)
  expect(fairest([hung, healthy], load([hung, hung]))).toBe(healthy)
  expect(fairest([hung], load([hung, hung]))).toBe(hung)
})

test('within a project, retries start before scheduled runs and those before backfills, the oldest first', () => {
  const waiting = [run(1, { urgency: 2 }), run(1, { created_at: later }), run(1), run(1, { urgency: 0 })]
  expect(fairest(waiting, load([]))).toBe(waiting[3])
  expect(fairest(waiting.slice(0, 3), load([]))).toBe(waiting[2])
  expect(fairest([], load([]))).toBeUndefined()
})

test('backfills leave one worker free for scheduled runs', () => {
  const backfill = run(1, { urgency: 2 })
  const scheduled = run(1, { created_at: later })
  expect(fairest([backfill], load([backfill, backfill]))).toBe(backfill)
  expect(fairest([backfill], load([backfill, backfill, backfill]))).toBeUndefined()
  expect(fairest([backfill, scheduled], load([backfill, backfill, backfill]))).toBe(scheduled)
  expect(fairest([backfill], { ...load([]), workers: 1 })).toBe(backfill)
})

test('a backfill yields to every scheduled run of its project to the same destination, whatever is running and waiting', () => {
  const anyRun = fc
    .record({
      project_id: fc.integer({ min: 1, max: 3 }),
      urgency: fc.integer({ min: 0, max: 2 }),
      created_at: fc.integer({ min: 0, max: 9 }).map((time) => new Date(time)),
      place: fc.constantFrom(null, 'a', 'b'),
    })
    .map((turn) => run(turn.project_id, turn))
  const starts = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 9 })))
  fc.assert(
    fc.property(
      fc.array(anyRun),
      fc.array(anyRun, { maxLength: 4 }),
      starts,
      (waiting, running, lastStarts) => {
        const next = fairest(waiting, load(running, lastStarts))
        const isBefore = (other: RunTurn) =>
          next?.urgency === 2 &&
          other.urgency < 2 &&
          other.project_id === next.project_id &&
          other.place === next.place
        expect(waiting.filter(isBefore)).toEqual([])
      },
    ),
  )
})

/** Starts runs as long as any may start, all of which then wait for their destination; returns how many started. */
function startHung(running: RunningRun[], runs: readonly (RunTurn & RunningRun)[]): number {
  let waiting = runs
  for (let next = fairest(waiting, load(running)); next; next = fairest(waiting, load(running))) {
    const started = next
    running.push({ ...started, waits: true })
    waiting = waiting.filter((other) => other !== started)
  }
  return runs.length - waiting.length
}

test('runs that hang leave places to other stores of their project, and to other projects', () => {
  const running: RunningRun[] = []
  const hung = (store: string) => Array.from({ length: 30 }, () => run(1, { store }))
  expect(startHung(running, hung('hung'))).toBe(6)
  expect(startHung(running, hung('also hung'))).toBe(5)
  expect(startHung(running, [...hung('hung'), ...hung('also hung')])).toBe(0)
  for (let project = 2; project < 14; project += 1) expect(startHung(running, [run(project)])).toBe(1)
})

test('backfills that hang leave the workers to other backfills', () => {
  const hung = run(1, { urgency: 2, store: 'hung', waits: true })
  const backfill = run(2, { urgency: 2 })
  expect(fairest([backfill], load([hung, hung, hung]))).toBe(backfill)
})
