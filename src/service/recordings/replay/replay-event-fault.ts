import { isObject } from '../../../contract/rrweb.ts'

const typeMax = 20
const earliest = Date.UTC(1971, 0, 1)
const latest = Date.UTC(2100, 0, 1)

/** Returns why a value is not an rrweb event, as a clause for an error message; null for a valid event. */
export function replayEventFault(value: unknown): string | null {
  if (!isObject(value)) return 'an event is not an object'
  const { type, timestamp, data, cv } = value
  if (typeof type !== 'number' || !Number.isInteger(type) || type < 0 || type > typeMax)
    return `an event's type is not an integer from 0 to ${typeMax}`
  if (typeof timestamp !== 'number' || timestamp < earliest || timestamp >= latest)
    return "an event's timestamp is not in milliseconds between 1971 and 2100"
  if (cv !== undefined && typeof cv !== 'string') return "an event's cv is not a string"
  if (typeof data === 'string' && cv === undefined) return "an event's data is a string without a cv"
  return data === undefined || typeof data === 'string' || isObject(data)
    ? null
    : "an event's data is not an object"
}
