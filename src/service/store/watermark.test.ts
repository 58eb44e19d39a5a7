import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { openStore, type Store } from './database.ts'
import { holdWatermark, currentWatermark } from './watermark.ts'

let engines: TestEngines
let store: Store

beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
})

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

test('a failed transaction releases the watermark', async () => {
  const attempt = store.transaction().execute(async (transaction) => {
    await holdWatermark(transaction, { now: () => 5_000 })
    throw new Error('disk full')
  })
  await expect(attempt).rejects.toThrow('disk full')
  expect(await currentWatermark(store)).toBeNull()
})

test('a lock acquired late is acquired again, so that no closed window gets a row', async () => {
  const times = [1_000_000, 1_002_000, 1_002_000, 1_002_999]
  const clock = { now: () => times.shift() ?? 0 }
  await store.transaction().execute(async (transaction) => {
    expect(await holdWatermark(transaction, clock)).toBe(1_002_000)
  })
})

async function hold(time: number) {
  const acquired = Promise.withResolvers<number>()
  const ended = Promise.withResolvers<void>()
  const transaction = store.transaction().execute(async (inner) => {
    acquired.resolve(await holdWatermark(inner, { now: () => time }))
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
