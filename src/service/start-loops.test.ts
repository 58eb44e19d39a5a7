import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { startLoops } from './start-loops.ts'

test('a loop repeats until it is stopped, which aborts its signal and ends it once', async () => {
  const ended = vi.fn(() => Promise.resolve())
  const logger = pino({ level: 'silent' })
  const signals: AbortSignal[] = []
  const work = async (signal: AbortSignal) => {
    signals.push(signal)
    return signals.length < 3 ? 0 : 86_400_000
  }
  const loops = startLoops({ logger }, [{ problem: 'it failed', work, end: ended }])
  await vi.waitUntil(() => signals.length === 3)
  await Promise.all([loops.stop(), loops.stop()])
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
  expect(ended).toHaveBeenCalledOnce()
})

test('a failure is reported, delays no other loop, and is tried again', async () => {
  const error = vi.fn<(details: unknown, problem: string) => void>()
  const logger = Object.assign(pino({ level: 'silent' }), { error })
  const failure = new Error('no connection')
  const failing = vi.fn(() => Promise.reject(failure))
  const working = vi.fn(() => Promise.resolve(0))
  const loops = startLoops({ logger }, [
    { problem: 'it failed', work: failing },
    { problem: 'the other failed', work: working },
  ])
  await vi.waitUntil(() => failing.mock.calls.length === 2, { timeout: 20_000 })
  await loops.stop()
  expect(error.mock.calls).toEqual(Array.from({ length: 2 }, () => [{ err: failure }, 'it failed']))
  expect(working.mock.calls.length).toBeGreaterThan(2)
})
