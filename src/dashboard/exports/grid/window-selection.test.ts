import { expect, test } from 'vitest'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import {
  backfilledInWords,
  mergeWindows,
  summarizeSelection,
  windowsFromTo,
  type CoveredWindow,
} from './window-selection.ts'

function windows(...states: WindowState[]): CoveredWindow[] {
  return states.map((state, index) => ({
    start: index * 10,
    end: (index + 1) * 10,
    state,
    run: state === 'completed' ? { id: 'a', records: 100, duration: 1, attempt: 1 } : null,
  }))
}

test('merges windows into the fewest ranges, whatever their order', () => {
  const [a, b, c, d, e] = windows('missing', 'missing', 'completed', 'missing', 'missing')
  expect(mergeWindows([e, a, d, b].filter((window) => window !== undefined))).toEqual([
    { start: 0, end: 20 },
    { start: 30, end: 50 },
  ])
  expect(mergeWindows([a, b, c, d, e].filter((window) => window !== undefined))).toEqual([
    { start: 0, end: 50 },
  ])
  expect(mergeWindows([])).toEqual([])
})

test('does not change the windows that it merges', () => {
  const given = windows('missing', 'missing')
  mergeWindows(given)
  expect(given).toEqual(windows('missing', 'missing'))
})

test('separates windows that need a backfill from rows that would be sent again', () => {
  const selected = windows('missing', 'completed', 'short', 'failed', 'completed', 'running', 'due', 'paused')
  const { states, needingBackfill, recordsResent } = summarizeSelection(selected)
  expect(needingBackfill.map(({ state }) => state)).toEqual(['missing', 'short', 'failed', 'paused'])
  expect(recordsResent).toBe(200)
  expect(states.get('completed')).toHaveLength(2)
})

test('says that windows need a backfill only if the page says so too', () => {
  expect(backfilledInWords(windows('missing', 'failed', 'short'))).toBe('3 that need it')
  expect(backfilledInWords(windows('missing'))).toBe('1 that needs it')
  expect(backfilledInWords(windows('paused', 'paused'))).toBe('2 skipped')
  expect(backfilledInWords(windows('paused', 'missing', 'before'))).toBe('3 that are not complete')
})

test('selects the same windows in both directions, and none that has not ended', () => {
  const all = windows('completed', 'missing', 'missing', 'future')
  expect(windowsFromTo(all, 3, 1)).toEqual(windowsFromTo(all, 1, 3))
  expect(windowsFromTo(all, 1, 3).map(({ start }) => start)).toEqual([10, 20])
})
