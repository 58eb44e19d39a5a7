import type { ExportSchema, Model } from '../../contract/exports/batch-export.ts'
import { HogqlError, invalid, positionOf, type Position } from './error.ts'
import type { Expression } from './expression.ts'
import { asNode, isRecord, startOf, type Node } from './node.ts'
import { parseSelect } from './parse.ts'
import { Constants, printClickhouse } from './print.ts'
import { readSelect, type Select } from './select.ts'

/** ClickHouse SQL of a query's columns and condition; its constants are in `values`, by their placeholders. */
type CompiledQuery = Pick<ExportSchema, 'fields' | 'values'> & { where: string | null }

/**
 * `schema` is for clients: numbers are literals, as in PostHog. `sql` is for ClickHouse: every constant is a placeholder,
 * which becomes a typed parameter, since a literal's type depends on its size.
 */
export type HogqlResult =
  | { ok: true; schema: ExportSchema; sql: CompiledQuery }
  | { ok: false; detail: string; position?: Position }

/** CPU time for parsing a normal form. */
const normalFormLimitMs = 2_000
const cachedQueriesMax = 200
const charactersMax = 20_000
const sqlCharactersMax = 200_000

/**
 * Compiles an export's query: a SELECT of expressions from the model, with an optional WHERE. The SQL contains only
 * listed columns and functions, and placeholders like `%(hogql_val_0)s`, at least for strings. Run it over a subquery that
 * is named after the model and filters by project, since an alias could hide a column in a condition beside it.
 * @param limitMs the parser's limit of CPU time; raise it for queries that were accepted before.
 */
export async function compileHogql(query: string, model: Model, limitMs?: number): Promise<HogqlResult> {
  const known = compiledQueries.get(`${model} ${query}`)
  if (known) return known
  try {
    const result = { ok: true as const, ...compile(await parse(query, limitMs), model) }
    const normal = result.schema.hogql_query
    // The normal form is stored and compiled for each run, so it must parse well within a run's limit.
    if (normal !== query) await parse(normal, limitMs ?? normalFormLimitMs)
    remember(`${model} ${normal}`, result)
    return result
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error
    const { message: detail, characters } = error
    return characters === undefined
      ? { ok: false, detail }
      : { ok: false, detail, position: positionOf(query, characters) }
  }
}

/** Cache by normal form: runs compile the same few queries, and parsing one takes a tenth of a second. */
const compiledQueries = new Map<string, HogqlResult>()

function remember(key: string, result: HogqlResult): void {
  const [oldest] = compiledQueries.keys()
  if (oldest !== undefined && compiledQueries.size >= cachedQueriesMax) compiledQueries.delete(oldest)
  compiledQueries.set(key, result)
}

/**
 * Turns the placeholders of compiled SQL into typed ClickHouse parameters, so that no constant is ever part of the SQL
 * text. Integers become Int64, other numbers Float64.
 */
export function bindHogql(
  sql: string,
  values: ExportSchema['values'],
): { sql: string; params: Record<string, string | number | boolean> } {
  const params: Record<string, string | number | boolean> = {}
  const bound = sql.replace(/%\((\w+)\)s/g, (_placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`the schema has no value ${name}`)
    if (value === null) return 'NULL'
    params[name] = value
    return `{${name}: ${parameterType(value)}}`
  })
  return { sql: bound, params }
}

function parameterType(value: string | number | boolean): string {
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Bool'
  return Number.isInteger(value) ? 'Int64' : 'Float64'
}

async function parse(query: string, limitMs?: number): Promise<Node> {
  if (query.length > charactersMax) throw invalid(`It is longer than ${charactersMax} characters`)
  // The parser would silently drop lone surrogates and NUL from constants.
  if (!query.isWellFormed() || query.includes('\0')) throw new HogqlError('Failed to parse query')
  const tree = await parseSelect(query, limitMs)
  if (tree === null) throw invalid('It is too long or too deeply nested to parse')
  if (!isRecord(tree) || tree['error'] !== true) return asNode(tree)
  const missing = /^Unsupported[^:]*: (?:\w+\.|ColumnExpr)?(\w+?)(?:Clause\(\))?$/.exec(
    String(tree['message']),
  )
  if (missing) throw invalid(`${missing[1]?.toUpperCase()} is not supported`)
  const reserved = /^"\w+" cannot be an alias/.exec(String(tree['message']))
  if (reserved) throw invalid(`${reserved[0]}: it is a reserved word`)
  throw new HogqlError('Failed to parse query', startOf({ ...tree, node: 'Error' }))
}

function compile(tree: Node, model: Model): { schema: ExportSchema; sql: CompiledQuery } {
  const select = readSelect(tree, model)
  const sql = printed(select, model, new Constants(false))
  const { fields, values } = printed({ ...select, where: null }, model, new Constants(true))
  return { schema: { fields, values, hogql_query: select.normalized }, sql }
}

function printed({ columns, where }: Select, model: Model, constants: Constants): CompiledQuery {
  const print = (expression: Expression) => printClickhouse(expression, model, constants)
  const fields = columns.map(({ expression, alias }) => ({ expression: print(expression), alias }))
  const condition = where && print(where)
  const length = fields.reduce((sum, { expression }) => sum + expression.length, condition?.length ?? 0)
  if (length > sqlCharactersMax) throw invalid('It is too large')
  return { fields, values: constants.values, where: condition }
}
