import type { QuerySettings, StatementOptions } from './clickhouse.ts'

/** Where a statement's SETTINGS clause belongs, when that is not its end. */
export const settingsMarker = '/*settings*/'

/**
 * The text that carries everything chDB has no parameter for: query parameters as `SET param_…` statements before it (they
 * stay on the connection, where the next statement that names them sets them anew), the mark as a leading comment and
 * the settings in the statement's own clause, since a SET would hold for all later statements too.
 */
export function embeddedStatement(
  sql: string,
  { params = {}, settings = {}, mark }: StatementOptions,
): string {
  const bindings = Object.entries(params).map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Error(`"${name}" is no name for a query parameter`)
    return `SET param_${name} = ${quoteString(parameterText(value))};\n`
  })
  return bindings.join('') + markedStatement(withSettings(sql, markedSettings(settings, mark)), mark)
}

/**
 * The settings with the mark among them: progress and kill find a running statement by its log_comment, because
 * ClickHouse re-prints a statement that holds a secret, without its comments.
 */
export function markedSettings(settings: QuerySettings, mark: string | undefined): QuerySettings {
  return mark === undefined ? settings : { ...settings, log_comment: mark }
}

/** Puts a comment first that tells a reader of the statement what it belongs to. */
export function markedStatement(sql: string, mark: string | undefined): string {
  return mark === undefined ? sql : `${markComment(mark)} ${sql}`
}

/** @throws when the mark holds anything but letters, digits, `_`, `-`, `.` and `:`, which could end the comment. */
export function markComment(mark: string): string {
  if (!/^[\w.:-]{1,200}$/.test(mark)) throw new Error(`"${mark}" cannot mark a statement`)
  return `/* spool:${mark} */`
}

/** Writes the settings into the statement: at the settingsMarker where it holds that, else at its end. */
export function withSettings(sql: string, settings: QuerySettings): string {
  const list = Object.entries(settings).map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Error(`"${name}" is no name for a setting`)
    return `${name} = ${typeof value === 'string' ? quoteString(value) : Number(value)}`
  })
  const clause = list.length ? `SETTINGS ${list.join(', ')}` : ''
  if (sql.includes(settingsMarker)) return sql.replace(settingsMarker, () => clause)
  return clause ? `${sql}\n${clause}` : sql
}

/** A ClickHouse string literal. */
export function quoteString(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** A value as ClickHouse reads query parameters: text escaped as in TSV, arrays and tuples as literals. */
export function parameterText(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string')
    return value.replace(/[\\\t\n\r\b\f\0]/g, (character) => escapes[character] ?? '')
  return literal(value)
}

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\0': '\\0',
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return quoteString(value)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  if (value instanceof Date) return String(value.getTime() / 1000)
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`
  throw new Error(`A query parameter cannot be ${typeof value}`)
}
