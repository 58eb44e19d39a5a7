import { expect, test } from 'vitest'
import { openFlushQueue } from './flush-queue.ts'

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
