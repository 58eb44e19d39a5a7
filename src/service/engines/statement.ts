import type { QuerySettings, StatementOptions } from './clickhouse.ts'

/** Where a statement's SETTINGS clause belongs, when that is not its end. */
const settingsMarker = '/*settings*/'

/**
 * The text that carries everything chDB has no parameter for: query parameters as `SET param_…` statements before it, and the
 * settings in the statement's own clause, since a SET would hold for later statements too.
 */
export function embeddedStatement(
  sql: string,
  { params = {}, settings = {}, mark }: StatementOptions,
): string {
  for (const name of parameterNames(sql)) {
    // The connection still has the value of an earlier statement, perhaps of another project.
    if (!Object.hasOwn(params, name)) throw new Error(`The parameter "${name}" of the statement has no value`)
  }
  const bindings = Object.entries(params).map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Error(`"${name}" is no name for a query parameter`)
    return `SET param_${name} = ${quoteString(parameterText(value))};\n`
  })
  return bindings.join('') + withSettings(sql, markedSettings(settings, mark))
}

/** The `{name: Type}` parameters of a statement, wherever they are no part of a string, a quoted name or a comment. */
export function parameterNames(sql: string): Set<string> {
  return new Set(tokensOf(sql).flatMap(([, name]) => name ?? []))
}

/** Strings, quoted names and comments of a statement, and its parameters outside of those. */
function tokensOf(sql: string): RegExpExecArray[] {
  return [
    ...sql.matchAll(
      /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|--[^\n]*|\/\*.*?\*\/|\{\s*(\w+)\s*:/gs,
    ),
  ]
}

/**
 * The settings with the mark among them: progress and kill find a running statement by its log_comment, because
 * ClickHouse re-prints a statement that holds a secret, without its comments.
 */
export function markedSettings(settings: QuerySettings, mark: string | undefined): QuerySettings {
  return mark === undefined ? settings : { ...settings, log_comment: mark }
}

/**
 * Writes the settings into the statement: at the settingsMarker where it holds that, else at its end. The same text in a string or
 * in a quoted name, which a user may have chosen, is none.
 */
export function withSettings(sql: string, settings: QuerySettings): string {
  const list = Object.entries(settings).map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Error(`"${name}" is no name for a setting`)
    return `${name} = ${typeof value === 'string' ? quoteString(value) : Number(value)}`
  })
  const clause = list.length ? `SETTINGS ${list.join(', ')}` : ''
  const marker = tokensOf(sql).find(([token]) => token === settingsMarker)
  if (marker) return sql.slice(0, marker.index) + clause + sql.slice(marker.index + settingsMarker.length)
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
