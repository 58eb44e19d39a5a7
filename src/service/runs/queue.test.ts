import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRunQueue } from './queue.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'

let jobs: TestJobs
beforeAll(async () => {
  jobs = await testJobs()
})
afterAll(() => jobs.cleanup())

test('a job commits and rolls back with its run', async () => {
  const { queue, store } = jobs.services
  const [kept, dropped] = [crypto.randomUUID(), crypto.randomUUID()]
  await store.transaction().execute((transaction) => queue.enqueue(transaction, [{ id: kept }]))
  const rolledBack = store.transaction().execute(async (transaction) => {
    await queue.enqueue(transaction, [{ id: dropped }])
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(await queue.waiting(store, [kept, dropped])).toEqual(new Set([kept]))
})

test('jobs call wake when they are due', async () => {
  const { queue, store } = jobs.services
  let wakes = 0
  const enqueue = (id: string, startAfterSeconds: number) =>
    store.transaction().execute((transaction) => queue.enqueue(transaction, [{ id }], startAfterSeconds))
  await enqueue('later', 3600)
  await enqueue('soon', 1)
  await queue.work(() => (wakes += 1))
  const state = async () => [wakes > 0, ...(await queue.waiting(store, ['soon', 'later']))]
  await expect.poll(state, { timeout: 30_000 }).toEqual([true, 'later'])
  await queue.stopWork()
})

test('a queue can be stopped twice, and opened again on the same database', async () => {
  const { pool } = jobs
  const queue = await openRunQueue(pool)
  await Promise.all([queue.stop(), queue.stop()])
  await (await openRunQueue(pool)).stop()
})
