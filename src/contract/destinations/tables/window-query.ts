import { formatInstant } from '../../instant.ts'

/** Returns the value of `_spool_window` in the rows of an export's window that starts at this time (ms). */
export function windowKey(exportId: string, start: number | Date): string {
  return `${exportId}:${formatInstant(start)}`
}

/** The parts of a table's name, and how its database quotes a name. */
export type TableName = { names: readonly string[]; quote: (name: string) => string }

/** Returns the statement that reads a window of a table. */
export function windowQuery({ names, quote }: TableName, key: string): string {
  return `SELECT * FROM ${names.map(quote).join('.')} WHERE ${quote('_spool_window')} = '${key}'`
}

/** Returns the statement that deletes a person's rows; the ids take the place of `:distinct_ids`. */
export function deleteQuery({ names, quote }: TableName, column: string): string {
  return `DELETE FROM ${names.map(quote).join('.')} WHERE ${quote(column)} IN (:distinct_ids)`
}

/** Quotes a name for PostgreSQL, for MySQL, or for ClickHouse, in which a backslash escapes. */
export const quotePostgres = (name: string) => `"${name.replaceAll('"', '""')}"`
export const quoteMysql = (name: string) => `\`${name.replaceAll('`', '``')}\``
export const quoteClickhouse = (name: string) => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
