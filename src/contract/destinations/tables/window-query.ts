import { formatInstant } from '../../instant.ts'

/** Returns the value of `_spool_window` in the rows of an export's window that starts at this time (ms). */
export function windowKey(exportId: string, start: number | Date): string {
  return `${exportId}:${formatInstant(start)}`
}

/** Returns the statement that reads a window of a table, whose name has these parts. */
export function windowQuery(names: readonly string[], key: string, quote: '"' | '`'): string {
  const quoted = (name: string) => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
  return `SELECT * FROM ${names.map(quoted).join('.')} WHERE ${quoted('_spool_window')} = '${key}'`
}
