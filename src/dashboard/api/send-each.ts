import { isLeft, whenLeft } from './leaving.ts'
import { isStatus } from './problem.ts'

/** What became of many requests, in the order of their items. */
export type Outcome<Item, Answer> = {
  done: { item: Item; answer: Answer }[]
  failed: { item: Item; error: Error }[]
}

type Options = {
  /** Told after each request, with how many have ended. */
  onProgress?: ((ended: number) => void) | undefined
  wait?: (ms: number) => Promise<void>
}

const triesMax = 4
const atOnceMax = 6

/**
 * Sends one request for each item, a few at a time, or all that are left at once when the page is left; one that fails stops none
 * of the others. Where the service asks for patience (429) it gets the time that it asks for.
 */
export async function sendEach<Item, Answer>(
  items: readonly Item[],
  send: (item: Item) => Promise<Answer>,
  { onProgress, wait = pause }: Options = {},
): Promise<Outcome<Item, Answer>> {
  const results: ({ answer: Answer } | { error: Error })[] = []
  let ended = 0
  const queue = items.entries()
  const sendOn = async () => {
    for (const [index, item] of queue) {
      results[index] = await settle(() => send(item), wait)
      onProgress?.(++ended)
    }
  }
  const workers = Array.from({ length: isLeft() ? items.length : atOnceMax }, sendOn)
  const stop = whenLeft(() => workers.push(...items.map(sendOn)))
  // Grows while it is walked through.
  for (const worker of workers) await worker
  stop()
  const outcome: Outcome<Item, Answer> = { done: [], failed: [] }
  for (const [index, item] of items.entries()) {
    const result = results[index]
    if (result && 'answer' in result) outcome.done.push({ item, answer: result.answer })
    else if (result) outcome.failed.push({ item, error: result.error })
  }
  return outcome
}

async function settle<Answer>(
  send: () => Promise<Answer>,
  wait: (ms: number) => Promise<void>,
): Promise<{ answer: Answer } | { error: Error }> {
  for (let tried = 1; ; tried += 1) {
    try {
      return { answer: await send() }
    } catch (error) {
      if (isStatus(error, 429) && tried < triesMax) await wait(error.retryAfterMs ?? 1000 * 2 ** tried)
      else return { error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
