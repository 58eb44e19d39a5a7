import type { Expression, PrintCall } from './expression.ts'

/** A comparison that is never NULL: with something missing it gives `unknown`, as in PostHog. */
export function comparison(name: string, unknown: 0 | 1): PrintCall {
  return (args, given) => {
    const sql = `${name}(${args.join(', ')})`
    return given.some((arg) => arg.nullable) ? `ifNull(${sql}, ${unknown})` : sql
  }
}

/** A cast that gives NULL where there is no such value. */
export function cast(type: string): PrintCall {
  return ([x], _given, placeholder) => `accurateCastOrNull(${x}, ${placeholder(type)})`
}

/** A decimal number; NULL where there is none. */
export function toDecimal([x, scale]: readonly string[]): string {
  return `toDecimal64OrNull(toString(${x}), toUInt8(${scale}))`
}

/** A time as it is, everything else as text of any form; NULL where it is no time. */
export function toDateTime([x, zone = "'UTC'"]: readonly string[], [given]: readonly Expression[]): string {
  if (given?.time) return `toDateTime64(${x}, 6, ${zone})`
  return `parseDateTime64BestEffortOrNull(toString(${x}), 6, ${zone})`
}

/** Text of one form as a time; NULL where it has another. */
export function parseDateTime([x, format, zone = "'UTC'"]: readonly string[]): string {
  return `parseDateTimeOrNull(toString(${x}), ${format}, ${zone})`
}

/** What is left of a division; NULL where nothing divides. */
export function modulo(args: readonly string[]): string {
  return `moduloOrNull(${args.join(', ')})`
}

/** Seconds or milliseconds of the Unix clock as a time in UTC. */
export function fromUnixClock(unit: 'Second' | 'Milli'): PrintCall {
  return ([x]) => `fromUnixTimestamp64${unit}(accurateCastOrNull(trunc(${x}), 'Int64'), 'UTC')`
}

/** A time in seconds or milliseconds of the Unix clock, in 64 bits: 32 would fail from 2106 on. */
export function toUnixClock(unit: 'Second' | 'Milli'): PrintCall {
  return ([x]) => `toUnixTimestamp64${unit}(toDateTime64(${x}, 6, 'UTC'))`
}

/** A function of weeks: ClickHouse wants the mode in eight bits. */
export function withWeekMode(name: string): PrintCall {
  return ([x, mode]) => (mode === undefined ? `${name}(${x})` : `${name}(${x}, toUInt8(${mode}))`)
}

/** Anything joined to text, what is missing being empty, as in PostHog. */
export function concat(args: readonly string[], given: readonly Expression[]): string {
  const parts = args.map((arg, index) => (given[index]?.nullable ? `ifNull(toString(${arg}), '')` : arg))
  return `concat(${parts.join(', ')})`
}
