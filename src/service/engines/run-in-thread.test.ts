import { expect, test } from 'vitest'
import { Thread, ThreadFailed } from './run-in-thread.ts'

/** A worker that counts its messages and acts as they say. */
const code = `
  import { parentPort } from 'node:worker_threads'
  let count = 0
  parentPort.on('message', (text) => {
    count += 1
    if (text === 'hang') for (;;);
    if (text === 'throw') throw new Error('broken')
    parentPort.postMessage(text + ' ' + count)
  })`
const worker = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const limit = { elapsedMs: 60_000 }
const open = (options = {}) => new Thread<string, string>({ worker, ...options })

test('lanes take turns, and the work of one lane cannot fill the queue', async () => {
  const thread = open()
  const order: string[] = []
  const run = (lane: string) =>
    thread.runInThread(
      (ask) => {
        order.push(lane)
        return ask(lane)
      },
      { limit, lane, laneMax: 10 },
    )
  const hostile = await Promise.allSettled([
    ...Array.from({ length: 20 }, () => run('hostile')),
    run('one'),
    run('other'),
  ])
  expect(order.slice(0, 4)).toEqual(['hostile', 'hostile', 'one', 'other'])
  expect(order.filter((lane) => lane === 'hostile')).toHaveLength(11)
  const refused = hostile.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 9 }, () => new ThreadFailed('busy')),
  )
})

test('urgent work does not wait for other work, which waits up to a number in all lanes', async () => {
  const thread = open({ waitingMax: 3 })
  const run = (lane: string, isUrgent = false) =>
    thread.runInThread((ask) => ask(lane), { limit, lane, isUrgent })
  const results = await Promise.allSettled([run('a'), run('b'), run('c'), run('urgent', true), run('d')])
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual([
    'a 1',
    'b 3',
    'c 4',
    'urgent 2',
    new ThreadFailed('busy'),
  ])
})

test('work may ask several times, and its own errors neither stop the thread nor delay other work', async () => {
  const thread = open()
  const lost = new Error('the objects cannot be reached')
  const results = await Promise.allSettled([
    thread.runInThread(async (ask) => [await ask('one'), await ask('two')], { limit }),
    thread.runInThread(() => Promise.reject(lost), { limit }),
    thread.runInThread((ask) => ask('three'), { limit }),
  ])
  expect(results).toEqual([
    { status: 'fulfilled', value: ['one 1', 'two 2'] },
    { status: 'rejected', reason: lost },
    { status: 'fulfilled', value: 'three 3' },
  ])
})

test.for([
  ['hang', { elapsedMs: 300 }, 'limit'],
  ['hang', { cpuMs: 100 }, 'limit'],
  ['throw', limit, 'crash'],
] as const)('work that makes the thread %s within %o fails, and a new thread does the next', async (row) => {
  const [text, limitOfRow, reason] = row
  const thread = open({ memoryMaxMb: 512 })
  const failing = thread.runInThread((ask) => ask(text), { limit: limitOfRow })
  const next = thread.runInThread((ask) => ask('next'), { limit })
  await expect(failing).rejects.toMatchObject({ reason, cause: expect.any(Error) })
  expect(await next).toBe('next 1')
})

test('a thread that was stopped starts again with the next work', async () => {
  const thread = open()
  const run = () => thread.runInThread((ask) => ask('run'), { limit })
  expect([await run(), await run()]).toEqual(['run 1', 'run 2'])
  await thread.stop()
  expect(await run()).toBe('run 1')
})

test('a thread ends after a time without work', async () => {
  const idle = Promise.withResolvers<void>()
  const thread = open({ idleMs: 1, afterIdle: idle.resolve })
  await thread.runInThread((ask) => ask('run'), { limit })
  await idle.promise
  expect(await thread.runInThread((ask) => ask('run'), { limit })).toBe('run 1')
})
