import { isObject, type RecordedEvent } from '../../replay/recorded/rrweb.ts'

const typeMax = 20
const earliest = Date.UTC(1971, 0, 1)
const latest = Date.UTC(2100, 0, 1)

/** Whether a value is an rrweb event that can be stored: one with a known kind of data and a possible time in milliseconds. */
export function isReplayEvent(value: unknown): value is RecordedEvent {
  if (!isObject(value)) return false
  const { type, timestamp, data, cv } = value
  if (typeof type !== 'number' || !Number.isInteger(type) || type < 0 || type > typeMax) return false
  if (typeof timestamp !== 'number' || !isPossibleTime(timestamp)) return false
  if (cv !== undefined && typeof cv !== 'string') return false
  if (typeof data === 'string') return cv !== undefined
  return data === undefined || isObject(data)
}

/** Whether an event can have this time, in milliseconds since the epoch; the engines cannot hold every number. */
export function isPossibleTime(time: number): boolean {
  return time >= earliest && time < latest
}
