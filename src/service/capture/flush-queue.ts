import { setTimeout as delay } from 'node:timers/promises'

/** One caller's addition to a flush: its number of rows and their total size. */
export type FlushEntry = { count: number; size: number }

type FlushLimits = {
  /** Rows and size of one flush, unless a single entry is larger. */
  countMax: number
  sizeMax: number
  /** Total size of waiting entries, which accumulate when the engines are slow. */
  waitingSizeMax: number
  /** Time (ms) that a caller waits for its flush when the engines do not respond; 15 seconds by default. */
  waitMsMax?: number
}

/** Delay (ms) before each flush, during which further entries may join: many small flushes take twice the processor time. */
const gatherMs = 10

/**
 * Batches entries from many requests and flushes them, one flush at a time. The returned function adds an entry and
 * resolves after its flush; it rejects with the flush's error, when too much is waiting, or when its flush takes too long:
 * the entry may still be stored then if its flush has begun.
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
    while (waiting.length > 0) {
      await delay(gatherMs)
      // All may have waited too long meanwhile.
      if (waiting.length === 0) break
      const entries = waiting.map(({ entry }) => entry)
      const taken = waiting.splice(0, flushLength(entries, limits))
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
    if (waitingSize > limits.waitingSizeMax)
      return Promise.reject(new Error('too much data is waiting to be stored'))
    waitingSize += entry.size
    const done = Promise.withResolvers<void>()
    const added = { entry, done }
    waiting.push(added)
    if (!isFlushing) void flushAll()
    const { waitMsMax = 15_000 } = limits
    const timer = setTimeout(() => {
      const index = waiting.indexOf(added)
      // The client will send the data again; stored later as well, it would count twice unless it has an id.
      if (index !== -1) {
        waiting.splice(index, 1)
        waitingSize -= entry.size
      }
      done.reject(new Error(`the data was not stored within ${waitMsMax / 1000} seconds`))
    }, waitMsMax)
    return done.promise.finally(() => clearTimeout(timer))
  }
}

/** Returns how many of the oldest entries fit into one flush; at least one. */
function flushLength(entries: readonly FlushEntry[], { countMax, sizeMax }: FlushLimits): number {
  let count = 0
  let size = 0
  const end = entries.findIndex(
    (entry, index) => ((count += entry.count) > countMax || (size += entry.size) > sizeMax) && index > 0,
  )
  return end === -1 ? entries.length : end
}
