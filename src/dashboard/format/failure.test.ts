import { expect, test } from 'vitest'
import type { FailureCauseGroup, FailureCauses } from '../../contract/runs/failure-cause.ts'
import { causesInWords, extentInWords, pauseInWords } from './failure.ts'

const at = '2026-03-04T10:00:00Z'
const totals: FailureCauses = {
  start: at,
  end: at,
  failures: 190,
  windows: 142,
  windows_left: 3,
  counts: { open: 0, ignored: 0, mine: 0 },
  causes_count: 3,
  results: [],
}
const cause: FailureCauseGroup = {
  state: 'open',
  ignored_until: null,
  assignee: null,
  assigned: null,
  changed: null,
  key: 'disk||x',
  class: 'disk',
  title: 'The disk is full.',
  advice: '',
  destination: null,
  failures: 142,
  windows: 120,
  windows_left: 12,
  first_seen: at,
  last_seen: at,
  first_window: at,
  message: '',
  run: '',
  exports: [],
  exports_count: 20,
  exports_running: 20,
}

test('says how many windows failed from how many causes', () => {
  expect(causesInWords(totals)).toBe('142 failed windows, 3 causes')
  expect(causesInWords({ ...totals, causes_count: 1, windows: 1 })).toBe('1 failed window, 1 cause')
})

test('says how much a cause affects, and what is left to export', () => {
  expect(extentInWords(cause)).toBe('142 failures of 120 windows in 20 exports; 12 not exported since')
  expect(extentInWords({ ...cause, windows_left: 0 })).toContain('all exported since or being exported')
  expect(extentInWords({ ...cause, failures: 1, windows: 1, windows_left: 1, exports_count: 1 })).toBe(
    '1 failure of 1 window in 1 export; none exported since',
  )
})

test('says how many exports pausing a cause would pause, unless all are paused already', () => {
  expect(pauseInWords(cause)).toBe('Pause 20 exports')
  expect(pauseInWords({ ...cause, exports_running: 1 })).toBe('Pause export')
  expect(pauseInWords({ ...cause, exports_running: 0 })).toBe('Pause exports')
  expect(pauseInWords({ ...cause, exports_count: 1, exports_running: 0 })).toBe('Pause export')
})
