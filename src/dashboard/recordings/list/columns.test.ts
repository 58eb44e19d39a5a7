import { expect, test } from 'vitest'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { shownColumns, type RecordingColumn } from './columns.tsx'

const cell = () => null
const columns: RecordingColumn[] = [
  { header: 'Recording', from: 0, className: '', cell },
  { header: 'Errors', sort: 'console_error_count', from: 0, className: '', cell, value: errorsOf },
  { header: 'Clicks', sort: 'click_count', from: 1000, className: '', cell, value: clicksOf },
]

test('drops columns with one value in all rows, and those for which the table is too narrow', () => {
  expect(shown([row(0, 1), row(0, 2)])).toEqual(['Recording', 'Clicks'])
  expect(shown([row(0, 1), row(1, 1)])).toEqual(['Recording', 'Errors'])
  expect(shown([row(0, 1)])).toEqual(['Recording', 'Errors', 'Clicks'])
  expect(shown([row(0, 1), row(1, 2)], { width: 900 })).toEqual(['Recording', 'Errors'])
})

test('shows the chosen columns and the one that sorts the list', () => {
  expect(shown([row(0, 1), row(0, 1)], { chosen: ['Clicks'], width: 600 })).toEqual(['Recording', 'Clicks'])
  expect(shown([row(0, 1), row(0, 1)], { order: 'console_error_count' })).toEqual(['Recording', 'Errors'])
})

function shown(
  rows: readonly SessionRecording[],
  view: Partial<Parameters<typeof shownColumns>[1]> = {},
): string[] {
  const usual = { rows, width: 1200, chosen: null, order: 'start_time' } as const
  return shownColumns(columns, { ...usual, ...view }).map(({ header }) => header)
}

function row(errors: number, clicks: number) {
  return { console_error_count: errors, click_count: clicks } as SessionRecording
}
function errorsOf(recording: SessionRecording): number {
  return recording.console_error_count
}
function clicksOf(recording: SessionRecording): number {
  return recording.click_count
}
