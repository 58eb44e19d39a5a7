import { expect, test } from 'vitest'
import { openFlushQueue, type FlushEntry } from './flush-queue.ts'

const limits = { countMax: 1, sizeMax: 100, waitingSizeMax: 10, waitMsMax: 500 }

test('does not store what its caller gave up on, and frees its room', async () => {
  const flushed: string[] = []
  const first = Promise.withResolvers<void>()
  const enqueue = openFlushQueue<{ name: string; count: number; size: number }>(limits, async (entries) => {
    flushed.push(...entries.map(({ name }) => name))
    if (flushed.length === 1) await first.promise
  })
  const add = (name: string) => enqueue({ name, count: 1, size: 6 })
  await Promise.all(['one', 'two'].map((name) => expect(add(name)).rejects.toThrow('not stored within')))
  first.resolve()
  await add('three')
  expect(flushed).toEqual(['one', 'three'])
})

test('what callers add as soon as a flush has ended joins those that waited for it', async () => {
  const flushes: number[] = []
  const began = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  const enqueue = openFlushQueue<FlushEntry>({ countMax: 10, sizeMax: 10, waitingSizeMax: 10 }, (entries) => {
    flushes.push(entries.length)
    began.resolve()
    return first.promise
  })
  const entry = { count: 1, size: 1 }
  const again = enqueue(entry).then(() => enqueue(entry))
  await began.promise
  const waited = enqueue(entry)
  first.resolve()
  await Promise.all([again, waited])
  expect(flushes).toEqual([1, 2])
})
