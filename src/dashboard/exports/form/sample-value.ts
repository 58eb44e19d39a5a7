/** A value as its cell shows it: texts as they are, the rest as JSON; null for none. */
export function sampleValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The same over several lines, where it holds something. */
export function wholeValue(value: unknown): string | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : sampleValue(value)
}
