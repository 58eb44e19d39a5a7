import type { Expression, PrintCall } from './expression.ts'

/** Prints a comparison that is never NULL: with a NULL operand it returns `unknown`, as in PostHog. */
export function comparison(name: string, unknown: 0 | 1): PrintCall {
  return (args, given) => {
    const sql = `${name}(${args.join(', ')})`
    return given.some((arg) => arg.nullable) ? `ifNull(${sql}, ${unknown})` : sql
  }
}

/** Prints a cast that returns NULL for values that cannot be converted. */
export function cast(type: string): PrintCall {
  return ([x], _given, placeholder) => `accurateCastOrNull(${x}, ${placeholder(type)})`
}

/** Converts text to a decimal; NULL if the text is not a number. */
export function toDecimal([x, scale]: readonly string[]): string {
  return `toDecimal64OrNull(toString(${x}), toUInt8(${scale}))`
}

/** Keeps a time unchanged and parses any other value as text; NULL if the text is not a time. */
export function toDateTime([x, zone = "'UTC'"]: readonly string[], [given]: readonly Expression[]): string {
  if (given?.time) return `toDateTime64(${x}, 6, ${zone})`
  return `parseDateTime64BestEffortOrNull(toString(${x}), 6, ${zone})`
}

/** Parses text in the given format as a time; NULL if the text does not match. */
export function parseDateTime([x, format, zone = "'UTC'"]: readonly string[]): string {
  return `parseDateTimeOrNull(toString(${x}), ${format}, ${zone})`
}

/** Returns the remainder of a division; NULL if the divisor is 0. */
export function modulo(args: readonly string[]): string {
  return `moduloOrNull(${args.join(', ')})`
}

/** Converts a Unix timestamp in seconds or milliseconds to a time in UTC. */
export function fromUnixClock(unit: 'Second' | 'Milli'): PrintCall {
  return ([x]) => `fromUnixTimestamp64${unit}(accurateCastOrNull(trunc(${x}), 'Int64'), 'UTC')`
}

/** Converts a time to a 64-bit Unix timestamp in seconds or milliseconds; 32 bits would overflow in 2106. */
export function toUnixClock(unit: 'Second' | 'Milli'): PrintCall {
  return ([x]) => `toUnixTimestamp64${unit}(toDateTime64(${x}, 6, 'UTC'))`
}

/** Prints a week function; ClickHouse expects the mode as an 8-bit integer. */
export function withWeekMode(name: string): PrintCall {
  return ([x, mode]) => (mode === undefined ? `${name}(${x})` : `${name}(${x}, toUInt8(${mode}))`)
}

/** Concatenates values of any type as text; NULL counts as empty text, as in PostHog. */
export function concat(args: readonly string[], given: readonly Expression[]): string {
  const parts = args.map((arg, index) => (given[index]?.nullable ? `ifNull(toString(${arg}), '')` : arg))
  return `concat(${parts.join(', ')})`
}
