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
  await store.transaction().execute((transaction) => queue.enqueue(transaction, [{ id: kept, priority: 0 }]))
  const rolledBack = store.transaction().execute(async (transaction) => {
    await queue.enqueue(transaction, [{ id: dropped, priority: 0 }])
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(await queue.waiting(store, [kept, dropped])).toEqual(new Set([kept]))
})

test('jobs run in order of priority, never twice, never before their time, and within the concurrency limit', async () => {
  const { queue, store } = jobs.services
  const jobsOf = Array.from({ length: 40 }, (_, index) => ({ id: `job-${index}`, priority: index % 2 }))
  await store
    .transaction()
    .execute((transaction) =>
      queue.enqueue(transaction, [...jobsOf, { id: 'later', priority: 9, startAfterSeconds: 3600 }]),
    )
  const done: string[] = []
  const all = Promise.withResolvers<void>()
  const two = Promise.withResolvers<void>()
  let [running, runningMax] = [0, 0]
  await queue.work(async (id) => {
    runningMax = Math.max(runningMax, ++running)
    // The first job waits until a second one is running.
    if (running === 2) two.resolve()
    await two.promise
    running -= 1
    if (id.startsWith('job-') && done.push(id) === jobsOf.length) all.resolve()
  }, 2)
  await all.promise
  await queue.stopWork()
  expect(done.toSorted()).toEqual(jobsOf.map(({ id }) => id).toSorted())
  expect(done.slice(0, 20).every((id) => Number(id.slice(4)) % 2 === 1)).toBe(true)
  expect(runningMax).toBe(2)
  expect(await queue.waiting(store, ['later'])).toEqual(new Set(['later']))
})

test('a queue can be stopped twice, and opened again on the same database', async () => {
  const { pool } = jobs
  const queue = await openRunQueue(pool)
  await Promise.all([queue.stop(), queue.stop()])
  await (await openRunQueue(pool)).stop()
})
