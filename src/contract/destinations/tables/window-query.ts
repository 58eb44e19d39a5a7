import { formatInstant } from '../../instant.ts'

/** Returns the value of `_spool_window` in the rows of an export's window that starts at this time (ms). */
export function windowKey(exportId: string, start: number | Date): string {
  return `${exportId}:${formatInstant(start)}`
}

/** Returns the statement that reads a window of a table, whose name has these parts. */
export function windowQuery(names: readonly string[], key: string, quote: (name: string) => string): string {
  return `SELECT * FROM ${names.map(quote).join('.')} WHERE ${quote('_spool_window')} = '${key}'`
}

/** Quotes a name for PostgreSQL, for MySQL, or for ClickHouse, in which a backslash escapes. */
export const quotePostgres = (name: string) => `"${name.replaceAll('"', '""')}"`
export const quoteMysql = (name: string) => `\`${name.replaceAll('`', '``')}\``
export const quoteClickhouse = (name: string) => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
