import { parseInstant } from '../../../contract/instant.ts'
import { relativePattern } from '../../../contract/recordings/recording-filter.ts'
import { startOfDay } from './time-zone.ts'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, M: 2_592_000_000, y: 31_536_000_000 }

/**
 * Converts a filter's date (`-7d` or ISO 8601) to milliseconds since the epoch. `-1dStart` and `-1dEnd` are the first and
 * the last millisecond of yesterday in the time zone.
 */
export function readDateInput(text: string, now: number, timeZone = 'UTC'): number {
  const [, count, unit = 'd'] = relativePattern.exec(text) ?? []
  if (count === undefined) return parseInstant(text)?.time ?? now
  if (unit === 'dStart') return startOfDay(now, -Number(count), timeZone)
  if (unit === 'dEnd') return startOfDay(now, 1 - Number(count), timeZone) - 1
  return now - Number(count) * (unit in unitMs ? unitMs[unit as keyof typeof unitMs] : unitMs.d)
}
