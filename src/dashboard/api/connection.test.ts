import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnection } from './connection.ts'

let connection: ReturnType<typeof createConnection>
/** Times (ms) of the probes; the service responds to them if `isReachable`. */
let probedAt: number[]
let isReachable: boolean

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('fetch', () => {
    probedAt.push(Date.now())
    return Promise.resolve({ ok: isReachable })
  })
  connection = createConnection()
  probedAt = []
  isReachable = false
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('distinguishes an unreachable service from a device without a network', () => {
  connection.failed()
  expect(connection.state.get()).toBe('unreachable')
  vi.stubGlobal('navigator', { onLine: false })
  connection.failed()
  expect(connection.state.get()).toBe('offline')
  connection.succeeded()
  expect(connection.state.get()).toBe('up')
})

test('probes the service after increasing waits until it responds', async () => {
  connection.failed()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(probedAt).toEqual([2_000, 6_000, 14_000, 29_000])
  isReachable = true
  await vi.advanceTimersByTimeAsync(15_000)
  expect(probedAt.at(-1)).toBe(44_000)
  expect(connection.state.get()).toBe('up')
})

test('sends one probe when several requests fail together', async () => {
  for (let request = 0; request < 5; request++) connection.failed()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(probedAt).toHaveLength(1)
})

test('notifies subscribers once per change', () => {
  let changes = 0
  connection.state.subscribe(() => changes++)
  connection.failed()
  connection.failed()
  connection.succeeded()
  connection.succeeded()
  expect(changes).toBe(2)
})
