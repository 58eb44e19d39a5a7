import { expect, test } from 'vitest'
import { withThreads } from './write-threads.ts'

/** Memory (bytes) of each of two workers. */
const share = 400_000_000
const limits = {
  workers: 2,
  engineThreads: 8,
  exportThreads: 8,
  engineMemory: 2 * share + 100_000_000,
  engineConnections: 8,
}

/** Returns the settings of statements that write at once, each begun after the one before. */
async function settingsOfEach(statements: number, given = limits) {
  const ended = Promise.withResolvers<void>()
  const settings: { threads: unknown; parallel: unknown; memory: unknown }[] = []
  const writes = Array.from({ length: statements }, () =>
    withThreads(given, (each) => {
      const parallel = each['output_format_parquet_parallel_encoding']
      settings.push({ threads: each['max_threads'], parallel, memory: each['max_memory_usage'] })
      return ended.promise
    }),
  )
  ended.resolve()
  await Promise.all(writes)
  return settings
}

const alone = { threads: 1, parallel: 0, memory: share }

test('a file that is written alone gets every thread, and later ones their part, at least one', async () => {
  const ample = { ...limits, workers: 16, engineMemory: 16 * share + 100_000_000 }
  const memory = (threads: number) => ({
    threads,
    parallel: 1,
    memory: Math.max(share, threads * 200_000_000),
  })
  expect(await settingsOfEach(5, ample)).toEqual([memory(8), memory(4), memory(2), memory(2), alone])
})

test('threads need memory: with little, a file gets fewer, and leaves the next one its own', async () => {
  expect(await settingsOfEach(2)).toEqual([{ threads: 2, parallel: 1, memory: share }, alone])
})

test('a statement that has ended leaves its threads, even if it failed', async () => {
  await expect(withThreads(limits, () => Promise.reject(new Error('full')))).rejects.toThrow('full')
  expect(await settingsOfEach(1, { ...limits, exportThreads: 1 })).toEqual([alone])
  expect((await settingsOfEach(1))[0]?.threads).toBe(2)
})
