import type { QuerySettings, Row, StatementOptions } from './clickhouse.ts'

/** Placeholder for a statement's SETTINGS clause, for statements that do not have it at the end. */
const settingsMarker = '/*settings*/'

/**
 * Returns the statement with everything that chDB accepts only as text: values of parameters as literals, and settings in the
 * statement's own clause, since a SET would also affect later statements. A `SET param_…` for each value, as
 * `parameterBindings` writes for streams, is a statement of its own and takes 0.1 ms.
 */
export function embeddedStatement(sql: string, options: StatementOptions) {
  const { params = {} } = options
  checkParameters(sql, params)
  // Replaced last: nothing is looked for in a value.
  return boundStatement(sql, options).replace(
    tokens,
    (token: string, name: string | undefined, type: string) =>
      name === undefined ? token : typedLiteral(params[name], type),
  )
}

/** Returns a literal of a parameter's type. Strings must be of type `String`: a cast would not undo the escapes. */
function typedLiteral(value: unknown, type: string): string {
  const text = parameterText(value)
  // The escapes of TSV are those of a literal; only the quote is missing.
  if (type === 'String' && typeof value === 'string') return `'${text.replaceAll("'", "\\'")}'`
  return `CAST(${quoteString(text)}, ${quoteString(type)})`
}

/** Returns the statement without its bindings, which must have been executed on the same connection. */
export function boundStatement(sql: string, { settings = {}, mark }: StatementOptions): string {
  return withSettings(sql, markedSettings(settings, mark))
}

/** Returns the `SET param_…` statements that bind the parameters of a statement. @throws Error when one has no value. */
export function parameterBindings(sql: string, params: Row = {}): string {
  checkParameters(sql, params)
  const bindings = Object.entries(params).map(
    ([name, value]) => `SET param_${name} = ${quoteString(parameterText(value))};\n`,
  )
  return bindings.join('')
}

function checkParameters(sql: string, params: Row): void {
  for (const name of parameterNames(sql)) {
    // Otherwise the connection would use an earlier statement's value, perhaps another project's.
    if (!Object.hasOwn(params, name)) throw new Error(`The parameter "${name}" of the statement has no value`)
  }
  for (const name of Object.keys(params))
    if (!/^\w+$/.test(name)) throw new Error(`"${name}" is not a valid query parameter name`)
}

/** Returns the names of a statement's `{name: Type}` parameters, ignoring strings, quoted names and comments. */
export function parameterNames(sql: string): Set<string> {
  return new Set(tokensOf(sql).flatMap(([, name]) => name ?? []))
}

/** Finds a statement's strings, quoted names and comments, and the parameters outside them with their types. */
const tokens =
  /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|--[^\n]*|\/\*.*?\*\/|\{\s*(\w+)\s*:\s*([^{}]*?)\s*\}/gs

function tokensOf(sql: string): RegExpExecArray[] {
  return [...sql.matchAll(tokens)]
}

/**
 * Adds the mark to the settings as log_comment, by which progress and kill find the running statement. A comment in the
 * text would not do: ClickHouse drops comments when it reprints a statement that contains a secret.
 */
export function markedSettings(settings: QuerySettings, mark: string | undefined): QuerySettings {
  return mark === undefined ? settings : { ...settings, log_comment: mark }
}

/**
 * Writes the settings into the statement, at its settingsMarker or else at its end. A marker inside a string or a quoted
 * name, which a user may have chosen, does not count.
 */
export function withSettings(sql: string, settings: QuerySettings): string {
  const list = Object.entries(settings).map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Error(`"${name}" is not a valid setting name`)
    return `${name} = ${typeof value === 'string' ? quoteString(value) : Number(value)}`
  })
  const clause = list.length ? `SETTINGS ${list.join(', ')}` : ''
  const marker = tokensOf(sql).find(([token]) => token === settingsMarker)
  if (marker) return sql.slice(0, marker.index) + clause + sql.slice(marker.index + settingsMarker.length)
  return clause ? `${sql}\n${clause}` : sql
}

/** Returns the text as a ClickHouse string literal. */
export function quoteString(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Formats a value as ClickHouse reads query parameters: text escaped as in TSV, arrays and tuples as literals. */
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
