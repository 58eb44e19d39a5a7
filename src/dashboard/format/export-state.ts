import type { BatchExportRun, RunStatus } from '../../contract/runs/batch-export-run.ts'
import { isRunInProgress } from '../../contract/runs/run-status.ts'
import type { BatchExport } from '../../contract/exports/batch-export.ts'
import type { Window } from '../../contract/interval.ts'
import type { ExportOverview } from '../../contract/exports/overview.ts'
import { scheduleOf, upcomingWindow } from '../../contract/exports/schedule.ts'
import type { Tone } from './run-status.ts'

export type ExportState = ExportOverview['state']

type Facts = Pick<
  BatchExport,
  'paused' | 'paused_because' | 'latest_runs' | 'interval' | 'start_at' | 'end_at'
>

/** Returns an export's state from its latest runs and whether it fails, which takes precedence over `running`. */
export function exportState(batchExport: Facts, isFailing: boolean, now: number): ExportState {
  if (batchExport.paused) return batchExport.paused_because === null ? 'paused' : 'auto-paused'
  if (isFailing) return 'failing'
  if (batchExport.latest_runs.some((run) => isRunInProgress(run.status))) return 'running'
  if (nextRunWindow(batchExport, now) === null) return 'ended'
  return batchExport.latest_runs.length === 0 ? 'waiting' : 'healthy'
}

export function hasFailed(status: RunStatus): boolean {
  return status === 'Failed' || status === 'TimedOut'
}

/** Returns the window of the next run; null while the export is paused and after its last window. */
export function nextRunWindow(
  batchExport: Pick<Facts, 'paused' | 'interval' | 'start_at' | 'end_at'>,
  now: number,
): Window | null {
  return batchExport.paused ? null : upcomingWindow(scheduleOf(batchExport), now)
}

/** Returns the first window to be exported after a pause; null for a pause without an end, or if the export ends before. */
export function resumedWindow(
  batchExport: Pick<BatchExport, 'paused_until' | 'interval' | 'start_at' | 'end_at'>,
): Window | null {
  const { paused_until: until } = batchExport
  return until === null ? null : upcomingWindow(scheduleOf(batchExport), Date.parse(until))
}

/** Returns when the next run starts, in milliseconds since the epoch; null if no run is scheduled. */
export function nextRunAt(batchExport: Facts, now: number): number | null {
  return nextRunWindow(batchExport, now)?.end ?? null
}

/** Returns the share of its rows that a run has written; null until the total is known. */
export function runProgress(run: BatchExportRun): number | null {
  if (run.records_total_count === null || run.records_total_count === 0) return null
  return Math.min(1, run.records_completed / run.records_total_count)
}

/** Returns the start (ms) of the first window with which any of these exports began to fail; null if none fails. */
export function firstFailure(
  rows: readonly Pick<ExportOverview, 'state' | 'failing_since'>[],
): number | null {
  const starts = rows.flatMap(({ state, failing_since: since }) =>
    state === 'failing' && since !== null ? [Date.parse(since)] : [],
  )
  return starts.length === 0 ? null : Math.min(...starts)
}

/** The tone in which each state of an export is shown. */
export const exportTones: Record<ExportState, Tone> = {
  failing: 'failed',
  running: 'running',
  healthy: 'ok',
  waiting: 'quiet',
  paused: 'paused',
  'auto-paused': 'stopped',
  ended: 'quiet',
}

/** Whether an export in this state needs a user to act. */
export function needsAttention(state: ExportState): boolean {
  return state === 'failing' || state === 'auto-paused'
}
