import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetArrivals, testClock } from '../../testing/test-clock.ts'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { openStore, type Store } from '../schema/database.ts'
import {
  arrivalTime,
  currentWatermark,
  holdWatermark,
  lastVisibleArrival,
  settledUntil,
} from './watermark.ts'

let engines: TestEngines
let store: Store
const never = new AbortController().signal

beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
})
beforeEach(() => forgetArrivals(store))

afterAll(() => engines.cleanup())

test('the watermark is the second of the earliest insert in flight, until that insert ends', async () => {
  expect(await currentWatermark(store)).toBeNull()
  const late = await hold(9_000_500)
  const early = await hold(7_000_900)
  const same = await hold(7_000_100)
  expect([late.insertedAt, early.insertedAt]).toEqual([9_000_500, 7_000_900])
  expect(await currentWatermark(store)).toBe(7_000_000)
  await early.end()
  expect(await currentWatermark(store)).toBe(7_000_000)
  await same.end()
  expect(await currentWatermark(store)).toBe(9_000_000)
  await late.end()
  expect(await currentWatermark(store)).toBeNull()
})

test('the watermark works after 2038, when seconds no longer fit into a signed number', async () => {
  const time = Date.UTC(2100, 0, 1)
  const held = await hold(time)
  expect([held.insertedAt, await currentWatermark(store)]).toEqual([time, time])
  await held.end()
})

test('a failed transaction releases the watermark', async () => {
  const attempt = store.transaction().execute(async (transaction) => {
    await holdWatermark(transaction, testClock(5_000))
    throw new Error('disk full')
  })
  await expect(attempt).rejects.toThrow('disk full')
  expect(await currentWatermark(store)).toBeNull()
})

test('an arrival time is read from the clock of the database, in whole milliseconds', async () => {
  const { rows } = await sql<{ before: Date }>`SELECT clock_timestamp() AS before`.execute(store)
  const wrong = { now: () => 0 }
  const arrival = await store.transaction().execute((transaction) => holdWatermark(transaction, wrong))
  const after = await arrivalTime({ store, clock: wrong })
  expect(arrival).toBeGreaterThanOrEqual(rows[0]?.before.getTime() ?? Infinity)
  expect(arrival).toBeLessThanOrEqual(after)
})

test('after the clock goes back, no event arrives before a time that has settled or was current', async () => {
  const config = { settleSeconds: 5 }
  const clock = testClock(20_000_000)
  expect(await settledUntil({ store, clock, config })).toBe(19_995_000)
  clock.advance(-60_000)
  expect(await settledUntil({ store, clock, config })).toBe(19_935_000)
  expect(await arrivalOf(clock.now())).toBe(19_995_000)
  clock.advance(+90_000)
  expect(await arrivalTime({ store, clock })).toBe(20_030_000)
  clock.advance(-90_000)
  expect(await arrivalTime({ store, clock })).toBe(20_030_000)
  expect(await arrivalOf(clock.now())).toBe(20_030_000)
  // A backfill reads the events that arrived ahead of the clock, and none that arrives while it runs.
  expect(await lastVisibleArrival({ store, clock }, Infinity, never)).toBe(20_030_000)
  expect(await arrivalOf(clock.now())).toBeGreaterThan(20_030_000)
})

test('the last visible arrival includes what was acknowledged beside an insert in flight, and does not wait for later inserts', async () => {
  const start = 40_000_000
  let inFlight = await hold(start)
  const acknowledged = await arrivalOf(start + 300)
  const ended = new AbortController()
  const visible = lastVisibleArrival({ store, clock: testClock(start + 400) }, Infinity, never)
  void visible.finally(() => ended.abort())
  while (!ended.signal.aborted) {
    const next = await hold(start + 400)
    await inFlight.end()
    inFlight = next
  }
  expect(await visible).toBe(start + 400)
  expect(acknowledged).toBeLessThanOrEqual(start + 400)
  expect(inFlight.insertedAt).toBeGreaterThan(start + 400)
  await inFlight.end()
})

test('the last visible arrival before a time does not wait for inserts that begin later', async () => {
  const inFlight = await hold(42_000_000)
  const clock = testClock(42_000_500)
  expect(await lastVisibleArrival({ store, clock }, 42_000_000, never)).toBe(41_999_999)
  await inFlight.end()
})

test('aborting ends the wait for an insert in flight', async () => {
  const inFlight = await hold(41_000_000)
  const controller = new AbortController()
  const visible = lastVisibleArrival({ store, clock: testClock(41_000_000) }, Infinity, controller.signal)
  controller.abort()
  await expect(visible).rejects.toThrow('aborted')
  await inFlight.end()
})

test('an insert that has waited for its lock does not arrive before the time that has settled meanwhile', async () => {
  const config = { settleSeconds: 5 }
  const [second, settled] = [30_000, 30_060_000]
  const blocker = await engines.postgres.pool.connect()
  await blocker.query('SELECT pg_advisory_lock(4282, $1::int)', [second])
  const insert = arrivalOf(second * 1000)
  await expect
    .poll(async () => {
      const { rows } = await sql`SELECT FROM pg_locks WHERE classid = 4282 AND NOT granted`.execute(store)
      return rows.length
    })
    .toBe(1)
  expect(await settledUntil({ store, clock: testClock(settled + 5000), config })).toBe(settled)
  await blocker.query('SELECT pg_advisory_unlock(4282, $1::int)', [second])
  blocker.release()
  expect(await insert).toBe(settled)
})

function arrivalOf(time: number): Promise<number> {
  return store.transaction().execute((transaction) => holdWatermark(transaction, testClock(time)))
}

async function hold(time: number) {
  const acquired = Promise.withResolvers<number>()
  const ended = Promise.withResolvers<void>()
  const transaction = store.transaction().execute(async (inner) => {
    acquired.resolve(await holdWatermark(inner, testClock(time)))
    await ended.promise
  })
  return {
    insertedAt: await acquired.promise,
    async end() {
      ended.resolve()
      await transaction
    },
  }
}
