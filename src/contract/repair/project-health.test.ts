import { expect, test } from 'vitest'
import { healthWindows } from './project-health.ts'

const start = '2026-11-18T21:00:00Z'

test('a day is one window of the strip, also if it began before the strip', () => {
  const cells = `c${'f'.repeat(16)}u`
  const windows = healthWindows(start, { cells, interval: 'day' })
  expect(windows.map(({ state, cells }) => [state, cells])).toEqual([
    ['completed', 1],
    ['failed', 8],
    ['failed', 8],
    ['future', 1],
  ])
  expect(windows[1]).toMatchObject({
    start: Date.parse('2026-11-19T00:00:00Z'),
    end: Date.parse('2026-11-20T00:00:00Z'),
  })
})

test('windows shorter than a cell share it', () => {
  const windows = healthWindows(start, { cells: 'ccf', interval: 'hour' })
  expect(windows.map(({ state, cells }) => [state, cells])).toEqual([
    ['completed', 1],
    ['completed', 1],
    ['failed', 1],
  ])
  expect(windows[0]).toMatchObject({ start: Date.parse(start), end: Date.parse('2026-11-19T00:00:00Z') })
})
