import type { RecordingRow } from '../store/recordings/session-recordings.ts'

const counted = [
  'active_seconds',
  'inactive_seconds',
  'click_count',
  'keypress_count',
  'mouse_activity_count',
  'console_log_count',
  'console_warn_count',
  'console_error_count',
  'failed_request_count',
] as const

type Counts = Pick<RecordingRow, (typeof counted)[number]>

/** Returns the seconds, clicks, keys, messages and failed requests that were counted in a recording. */
export function countsOf(row: RecordingRow): Counts {
  return Object.fromEntries(counted.map((name) => [name, row[name]])) as Counts
}
