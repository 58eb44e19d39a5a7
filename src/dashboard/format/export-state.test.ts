import { expect, test } from 'vitest'
import type { BatchExportRun, RunStatus } from '../../contract/runs/batch-export-run.ts'
import { exportState, firstFailure, nextRunAt, resumedWindow } from './export-state.ts'

const now = Date.parse('2026-11-21T08:20:00Z')

function run(status: RunStatus, change: Partial<BatchExportRun> = {}): BatchExportRun {
  return {
    id: 'run',
    status,
    records_completed: 0,
    latest_error: null,
    data_interval_start: '2026-11-21T07:00:00Z',
    data_interval_end: '2026-11-21T08:00:00Z',
    cursor: '',
    created_at: '2026-11-21T08:19:00Z',
    finished_at: null,
    last_updated_at: '2026-11-21T08:19:00Z',
    records_total_count: null,
    batch_export: 'export',
    backfill: null,
    bytes_exported: null,
    attempt: 1,
    ...change,
  }
}

function batchExport(
  statuses: RunStatus[],
  change: { paused?: boolean; paused_because?: string; end_at?: string } = {},
) {
  const latest_runs = statuses.map((status) => run(status))
  const schedule = { interval: 'hour' as const, start_at: null, end_at: null }
  return { paused: false, paused_because: null, ...schedule, latest_runs, ...change }
}

test.each([
  ['waiting', batchExport([])],
  ['healthy', batchExport(['Completed', 'Failed'])],
  ['running', batchExport(['Running', 'Completed'])],
  ['paused', batchExport(['Failed'], { paused: true })],
  ['auto-paused', batchExport(['Completed'], { paused: true, paused_because: 'Ten runs failed.' })],
  ['ended', batchExport(['Completed'], { end_at: '2026-11-21T08:00:00Z' })],
  ['ended', batchExport(['Completed'], { end_at: '2026-11-21T08:59:00Z' })],
])('an export is %s', (state, facts) => {
  expect(exportState(facts, false, now)).toBe(state)
})

test('an export that fails is failing, even while it runs, unless it is paused', () => {
  expect(exportState(batchExport(['Running']), true, now)).toBe('failing')
  expect(exportState(batchExport(['Failed'], { paused: true }), true, now)).toBe('paused')
})

test('the next run starts when the current window ends, and never while paused', () => {
  expect(nextRunAt(batchExport([]), now)).toBe(Date.parse('2026-11-21T09:00:00Z'))
  expect(nextRunAt(batchExport([], { paused: true }), now)).toBeNull()
})

test('a pause with an end is followed by the window that contains the end, if the export still runs then', () => {
  const paused = { ...batchExport([], { paused: true }), paused_until: '2026-11-24T08:20:00Z' }
  expect(resumedWindow(paused)).toEqual({
    start: Date.parse('2026-11-24T08:00:00Z'),
    end: Date.parse('2026-11-24T09:00:00Z'),
  })
  expect(resumedWindow({ ...paused, paused_until: null })).toBeNull()
  expect(resumedWindow({ ...paused, end_at: '2026-11-24T08:30:00Z' })).toBeNull()
})

test('the first failure is that of the export that has failed longest; other states do not count', () => {
  const failing = (state: 'failing' | 'paused', failing_since: string | null) => ({ state, failing_since })
  const rows = [
    failing('failing', '2026-11-21T06:00:00Z'),
    failing('failing', '2026-11-20T00:00:00Z'),
    failing('paused', '2026-11-01T00:00:00Z'),
  ]
  expect(firstFailure(rows)).toBe(Date.parse('2026-11-20T00:00:00Z'))
  expect(firstFailure(rows.slice(2))).toBeNull()
})
