import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../store/schema/database.ts'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { namesMax, RateCounts } from './rate-counts.ts'

let engines: TestEngines
let store: Store
let now = 0
const opened: RateCounts[] = []

beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
})
afterAll(async () => {
  await Promise.all(opened.map((counts) => counts.close()))
  await engines.cleanup()
})

/** Opens the counts of another process. */
function open(): RateCounts {
  const counts = new RateCounts({
    store,
    clock: { now: () => now },
    logger: pino({ level: 'silent' }),
    secrets: engines.secrets,
  })
  opened.push(counts)
  return counts
}

test('processes share counts, which start again each minute', async () => {
  const [one, other] = [open(), open()]
  expect(one.add('a', 4, 3)).toBe(true)
  await one.flush()
  expect(other.add('a', 4)).toBe(true)
  await other.flush()
  expect(other.isReached('a', 4)).toBe(true)
  expect(other.add('a', 4)).toBe(false)
  expect(one.isReached('a', 4)).toBe(false)
  one.add('a', 4, 0)
  await other.flush()
  expect(one.add('a', 4)).toBe(true)
  await one.flush()
  expect(one.add('a', 4)).toBe(false)
  now += 60_000
  for (const counts of [one, other]) expect(counts.add('a', 4)).toBe(true)
})

test('a count far below its limit is not written, and counts of earlier minutes are deleted', async () => {
  now += 60_000
  const counts = open()
  counts.add('rare', 1000, 50)
  counts.add('often', 1000, 70)
  await counts.flush()
  const names = () => store.selectFrom('rate_counts').select('name').execute()
  expect(await names()).toEqual(expect.arrayContaining([{ name: 'often' }]))
  expect(await names()).not.toContainEqual({ name: 'rare' })
  now += 10 * 60_000
  counts.add('often', 10)
  await counts.flush()
  expect(await names()).toEqual([{ name: 'often' }])
})

test('a limit of 0 is no limit', () => {
  const counts = open()
  for (let count = 0; count < 3; count++) expect(counts.add('free', 0)).toBe(true)
  expect(counts.isReached('free', 0)).toBe(false)
})

test('no flood of names lets one escape its limit, nor uses up the limit of those known before and of other limits', async () => {
  now += 60_000
  const counts = open()
  counts.add('known', 3, 2)
  for (let count = 0; count < namesMax + 1000; count++) counts.add(`flood ${count}`, 1000)
  expect([1, 2, 3, 4].map(() => counts.add('late', 3))).toEqual([true, true, true, false])
  expect([counts.isReached('late', 3), counts.isReached('other', 3)]).toEqual([true, false])
  expect([counts.isReached('known', 3), counts.add('known', 3), counts.add('known', 3)]).toEqual([
    false,
    true,
    false,
  ])
  await counts.flush()
  const next = open()
  for (let count = 0; count < namesMax; count++) next.add(`flood ${count}`, 1000)
  next.add('late', 3)
  await next.flush()
  expect(next.isReached('late', 3)).toBe(true)
})
