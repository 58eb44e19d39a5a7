import type { BatchExportUpdate } from '../../../contract/exports/batch-export.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { readInstant } from '../given-times.ts'

type PauseColumns = Pick<BatchExportRow, 'pause_reason' | 'paused_until'>
type Given = Pick<BatchExportUpdate, 'paused' | 'reason' | 'until'>

/** The field of a request that sets each column. */
export const pauseInputs: Record<string, string> = { pause_reason: 'reason', paused_until: 'until' }

/**
 * Returns the columns that `reason` and `until` change; `row` is null for a new export, `now` in milliseconds.
 * @throws ApiError 400 if the export will not be paused, or if the end has passed.
 */
export function pauseColumns(row: BatchExportRow | null, given: Given, now: number): Partial<PauseColumns> {
  const reason = reasonOf(given)
  const until = readInstant(given.until)
  if (!(given.paused ?? row?.paused ?? false)) {
    const attribute = reason ? 'reason' : until ? 'until' : null
    if (attribute === null) return {}
    throw invalidInput('Only a paused export can have this: also send "paused": true, or leave this out.', [
      attribute,
    ])
  }
  if (until && until.getTime() <= now && until.getTime() !== row?.paused_until?.getTime())
    throw invalidInput(`The pause must end in the future, after ${formatInstant(now)}.`, ['until'])
  return {
    ...(reason !== undefined && { pause_reason: reason }),
    ...(until !== undefined && { paused_until: until }),
  }
}

/** Returns which of `reason` and `until` would change nothing. */
export function unchangedPauseFields(row: PauseColumns, given: Given): string[] {
  const isSameUntil = (readInstant(given.until)?.getTime() ?? null) === (row.paused_until?.getTime() ?? null)
  return [
    ...((reasonOf(given) ?? null) === row.pause_reason ? ['reason'] : []),
    ...(isSameUntil ? ['until'] : []),
  ]
}

/** Returns ` until <time> ("<reason>")` for a log line; omits what is not set. */
export function describePause({ pause_reason: reason, paused_until: until }: PauseColumns): string {
  return `${until ? ` until ${formatInstant(until)}` : ''}${reason === null ? '' : ` ("${reason}")`}`
}

function reasonOf({ reason }: Given): string | null | undefined {
  return typeof reason === 'string' ? reason.trim() || null : reason
}
