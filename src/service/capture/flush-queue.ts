import { setTimeout as delay } from 'node:timers/promises'

/** What is added at once is flushed together: so many rows, of so much size in all. */
export type FlushEntry = { count: number; size: number }

export type FlushLimits = {
  /** Of a flush, unless a single entry is larger. */
  countMax: number
  sizeMax: number
  /** Of what waits for its flush when the engines are slow. */
  waitingSizeMax: number
}

/** How long the first entry of a flush waits for company. */
const gatherMs = 10

/**
 * Gathers what many requests add and flushes it, one flush after the other. What is returned adds an entry and resolves
 * when its flush has; it rejects with what that threw, or when too much is waiting.
 */
export function openFlushQueue<Entry extends FlushEntry>(
  limits: FlushLimits,
  flush: (entries: readonly Entry[]) => Promise<void>,
): (entry: Entry) => Promise<void> {
  const waiting: { entry: Entry; done: PromiseWithResolvers<void> }[] = []
  let waitingSize = 0
  let isFlushing = false

  async function flushAll(): Promise<void> {
    isFlushing = true
    await delay(gatherMs)
    while (waiting.length > 0) {
      const taken = waiting.splice(
        0,
        flushLength(
          waiting.map(({ entry }) => entry),
          limits,
        ),
      )
      try {
        await flush(taken.map(({ entry }) => entry))
        for (const { done } of taken) done.resolve()
      } catch (error) {
        for (const { done } of taken) done.reject(error)
      }
      for (const { entry } of taken) waitingSize -= entry.size
    }
    isFlushing = false
  }

  return (entry) => {
    if (waitingSize > limits.waitingSizeMax) return Promise.reject(new Error('too much waits to be stored'))
    waitingSize += entry.size
    const done = Promise.withResolvers<void>()
    waiting.push({ entry, done })
    if (!isFlushing) void flushAll()
    return done.promise
  }
}

/** How many of the oldest entries, at least one, make a flush. */
function flushLength(entries: readonly FlushEntry[], { countMax, sizeMax }: FlushLimits): number {
  let count = 0
  let size = 0
  const end = entries.findIndex(
    (entry, index) => ((count += entry.count) > countMax || (size += entry.size) > sizeMax) && index > 0,
  )
  return end === -1 ? entries.length : end
}
