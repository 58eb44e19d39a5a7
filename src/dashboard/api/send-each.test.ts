import { expect, test, vi } from 'vitest'
import { watchPageLeave } from './page-leave.ts'
import { ApiProblem } from './problem.ts'
import { sendEach } from './send-each.ts'

function problem(status: number, detail: string, retryAfterMs: number | null = null): ApiProblem {
  return new ApiProblem(status, {
    code: 'error',
    detail,
    attr: null,
    issues: [],
    requestId: null,
    retryAfterMs,
  })
}

test('returns successes and failures in order, and continues after a failure', async () => {
  const outcome = await sendEach([1, 2, 3, 4], (item) =>
    item % 2 === 0 ? Promise.reject(problem(400, `no ${item}`)) : Promise.resolve(item * 10),
  )
  expect(outcome.done).toEqual([
    { item: 1, response: 10 },
    { item: 3, response: 30 },
  ])
  expect(outcome.failed.map(({ item, error }) => `${item}: ${error.message}`)).toEqual(['2: no 2', '4: no 4'])
})

test('sends at most six requests at a time', async () => {
  let running = 0
  let runningMax = 0
  await sendEach(Array.from({ length: 50 }, Number), async () => {
    runningMax = Math.max(runningMax, ++running)
    await Promise.resolve()
    running -= 1
  })
  expect(runningMax).toBe(6)
})

test('sends all remaining requests at once when the page is left', async () => {
  const page = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  watchPageLeave()
  const sent: number[] = []
  const responded = Promise.withResolvers<void>()
  const send = (item: number) => {
    sent.push(item)
    return responded.promise
  }
  const items = Array.from({ length: 40 }, (_, item) => item)
  const before = sendEach(items, send)
  expect(sent).toHaveLength(6)
  page.dispatchEvent(new Event('pagehide'))
  expect(sent).toEqual(items)
  const after = sendEach(items, send)
  expect(sent).toEqual([...items, ...items])
  page.dispatchEvent(new Event('pageshow'))
  responded.resolve()
  expect((await before).done).toHaveLength(40)
  expect((await after).done).toHaveLength(40)
})

test('retries a throttled request after the requested wait', async () => {
  const waits: number[] = []
  let refusals = 2
  const outcome = await sendEach(
    ['a'],
    () => (refusals-- > 0 ? Promise.reject(problem(429, 'slow down', 7_000)) : Promise.resolve('sent')),
    { wait: (ms) => Promise.resolve(void waits.push(ms)) },
  )
  expect(waits).toEqual([7_000, 7_000])
  expect(outcome.done).toEqual([{ item: 'a', response: 'sent' }])
})

test('gives up on a request that is throttled repeatedly', async () => {
  const { failed } = await sendEach(['a'], () => Promise.reject(problem(429, 'slow down')), {
    wait: () => Promise.resolve(),
  })
  expect(failed[0]?.error.message).toBe('slow down')
})

test('reports progress after each request', async () => {
  const counts: number[] = []
  await sendEach([1, 2, 3], () => Promise.resolve(), { onProgress: (ended) => counts.push(ended) })
  expect(counts).toEqual([1, 2, 3])
})
