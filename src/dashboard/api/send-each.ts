import { isPageLeft, onPageLeave } from './page-leave.ts'
import { isStatus } from './problem.ts'

/** The results of several requests, in the order of their items. */
export type Outcome<Item, ResponseBody> = {
  done: { item: Item; response: ResponseBody }[]
  failed: { item: Item; error: Error }[]
}

type Options = {
  /** Called after each request with the number of requests that have ended. */
  onProgress?: ((ended: number) => void) | undefined
  wait?: (ms: number) => Promise<void>
}

const attemptsMax = 4
const concurrentMax = 6

/**
 * Sends one request per item, a few at a time; when the page is left, sends all the rest at once. A failed request does
 * not stop the others. A throttled request (429) is retried after the wait that the service asks for.
 */
export async function sendEach<Item, ResponseBody>(
  items: readonly Item[],
  send: (item: Item) => Promise<ResponseBody>,
  { onProgress, wait = pause }: Options = {},
): Promise<Outcome<Item, ResponseBody>> {
  const results: ({ response: ResponseBody } | { error: Error })[] = []
  let ended = 0
  const queue = items.entries()
  const sendRest = async () => {
    for (const [index, item] of queue) {
      results[index] = await settle(() => send(item), wait)
      onProgress?.(++ended)
    }
  }
  const workers = Array.from({ length: isPageLeft() ? items.length : concurrentMax }, sendRest)
  const stop = onPageLeave(() => workers.push(...items.map(sendRest)))
  // The array may grow during the loop.
  for (const worker of workers) await worker
  stop()
  const outcome: Outcome<Item, ResponseBody> = { done: [], failed: [] }
  for (const [index, item] of items.entries()) {
    const result = results[index]
    if (result && 'response' in result) outcome.done.push({ item, response: result.response })
    else if (result) outcome.failed.push({ item, error: result.error })
  }
  return outcome
}

async function settle<ResponseBody>(
  send: () => Promise<ResponseBody>,
  wait: (ms: number) => Promise<void>,
): Promise<{ response: ResponseBody } | { error: Error }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { response: await send() }
    } catch (error) {
      if (isStatus(error, 429) && attempt < attemptsMax) await wait(error.retryAfterMs ?? 1000 * 2 ** attempt)
      else return { error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
