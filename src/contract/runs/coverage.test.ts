import { expect, test } from 'vitest'
import { decodeCoverage, encodeCoverage } from './coverage.ts'
import { decodeStates, encodeStates, windowStates } from './window-state.ts'
import type { WindowCoverage } from './coverage.ts'
import { decodeStrip } from '../exports/overview.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 2, 4)
const run = (number: number) => ({
  id: `019cb865-e810-7079-8682-${String(number).padStart(12, '0')}`,
  records: number * 10,
  duration: number === 3 ? null : number * 100,
  attempt: number,
})

test('decoding an encoded coverage restores every window, with its bounds', () => {
  const windows: WindowCoverage[] = [
    { state: 'before', run: null },
    { state: 'before', run: null },
    { state: 'completed', run: run(1) },
    { state: 'missing', run: null },
    { state: 'short', run: run(2) },
    { state: 'running', run: run(3) },
    { state: 'future', run: null },
  ]
  const bounds = { interval: 'hour', start: '2026-03-04T00:00:00Z', end: '2026-03-04T07:00:00Z' } as const
  const coverage = { ...bounds, ...encodeCoverage(windows) }
  expect(coverage.states).toBe('2bcmsru')
  expect(decodeCoverage(coverage)).toEqual(
    windows.map((window, index) => ({
      start: start + index * hour,
      end: start + (index + 1) * hour,
      ...window,
    })),
  )
})

test('ten thousand windows in the same state encode to a few characters', () => {
  const windows = Array.from({ length: 10_000 }, (): WindowCoverage => ({ state: 'paused', run: null }))
  expect(encodeCoverage(windows)).toEqual({
    states: '10000p',
    run_ids: '',
    records: [],
    durations: [],
    attempts: [],
  })
})

test('each state has a unique letter', () => {
  const letters = encodeStates(windowStates)
  expect(new Set(letters).size).toBe(windowStates.length)
  expect(decodeStates(letters)).toEqual(windowStates)
})

test('a strip ends with the most recently ended window', () => {
  expect(decodeStrip({ strip: 'cf', interval: 'hour' }, '2026-03-04T02:59:59.999000Z')).toEqual([
    { start, end: start + hour, state: 'completed' },
    { start: start + hour, end: start + 2 * hour, state: 'failed' },
  ])
})
