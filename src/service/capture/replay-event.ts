import { CaptureError } from './capture-error.ts'

/** @throws CaptureError 400 when a `$snapshot` event's properties lack what a recording is made of. */
export function assertReplayEvent(properties: Record<string, unknown>): void {
  const { $snapshot_data: data, $session_id: session } = properties
  if (typeof data !== 'object' || data === null) {
    throw new CaptureError(400, 'replay event submitted without snapshot data')
  }
  if (session === undefined || session === null || session === '') {
    throw new CaptureError(400, 'replay event submitted without session id')
  }
  if (typeof session !== 'string' || !/^[\w.:-]{1,100}$/.test(session)) {
    throw new CaptureError(400, 'replay event submitted with an invalid session id')
  }
}
