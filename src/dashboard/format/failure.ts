import type { FailureCauseGroup, FailureCauses } from '../../contract/runs/failure-cause.ts'
import { count, counted } from './amount.ts'

/** Returns `142 failed windows, 3 causes`; a window may have failed several times. */
export function causesInWords({ causes_count: causes, windows }: FailureCauses): string {
  return `${counted(windows, 'failed window')}, ${counted(causes, 'cause')}`
}

/** Describes how much a cause affects: `142 failures of 120 windows in 20 exports; 12 not exported since`. */
export function extentInWords(cause: FailureCauseGroup): string {
  const { failures, windows, windows_left: left, exports_count: exports } = cause
  const extent = `${counted(failures, 'failure')} of ${counted(windows, 'window')} in ${counted(exports, 'export')}`
  if (left === 0) return `${extent}; all exported since or being exported`
  return `${extent}; ${left === windows ? 'none exported since' : `${count(left)} not exported since`}`
}

/** Names the action that pauses a cause's exports: `Pause 20 exports`, without a number if all are paused. */
export function pauseInWords({ exports_count, exports_running: running }: FailureCauseGroup): string {
  if ((running || exports_count) === 1) return 'Pause export'
  return running === 0 ? 'Pause exports' : `Pause ${count(running)} exports`
}

export const failureClassLabels: Record<FailureCauseGroup['class'], string> = {
  credentials: 'Credentials',
  bucket: 'Bucket',
  region: 'Region',
  permission: 'Permission',
  destination: 'Destination',
  network: 'Network',
  store: 'Store',
  query: 'Query',
  schema: 'Schema',
  memory: 'Memory',
  disk: 'Disk',
  time: 'Time limit',
  service: 'Service',
  other: 'Other',
}
