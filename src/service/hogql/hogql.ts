import type { ExportSchema, Model } from '../../contract/batch-export.ts'
import { HogqlError, invalid, positionOf, type Position } from './error.ts'
import type { Expression } from './expression.ts'
import { asNode, isRecord, startOf, type Node } from './node.ts'
import { parseSelect } from './parse.ts'
import { Constants, printClickhouse } from './print.ts'
import { readSelect } from './select.ts'

/** `where` is SQL like the expressions of the schema, its constants among the schema's values. */
export type HogqlResult =
  | { ok: true; schema: ExportSchema; where: string | null }
  | { ok: false; detail: string; position?: Position }

const normalFormLimitMs = 2_000
const compiledMax = 200
const charactersMax = 20_000
const sqlMax = 200_000

/**
 * Compiles the query of an export: a SELECT of expressions from the model, with a WHERE if need be. The SQL is printed anew
 * from a list of columns and functions; nothing of the query's text reaches it, its constants are placeholders like
 * `%(hogql_val_0)s`. It stands over a subquery by the model's name, which must have chosen the project itself: a name given in the
 * query could hide a column in a condition beside it. Whether the types agree is for ClickHouse to say. `limitMs`: how long the
 * parser may take, where a query that was accepted before must not fail because the machine is busy.
 */
export async function compileHogql(query: string, model: Model, limitMs?: number): Promise<HogqlResult> {
  const known = compiledBefore.get(`${model} ${query}`)
  if (known) return known
  try {
    const result = { ok: true as const, ...compile(await parse(query, limitMs), model) }
    const normal = result.schema.hogql_query
    // What is kept, and compiled for each run, is the normal form: it must be read in less time than a run allows.
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

/** Normal forms: runs come back to the same few, and reading one takes a tenth of a second. */
const compiledBefore = new Map<string, HogqlResult>()

function remember(key: string, result: HogqlResult): void {
  const [oldest] = compiledBefore.keys()
  if (oldest !== undefined && compiledBefore.size >= compiledMax) compiledBefore.delete(oldest)
  compiledBefore.set(key, result)
}

/**
 * Turns the placeholders of compiled SQL into typed parameters of ClickHouse, so that no constant is ever part of the text.
 * Whole numbers are Int64, others Float64.
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
  // Neither can be in a query, and the parser drops them from constants.
  if (!query.isWellFormed() || query.includes('\0')) throw new HogqlError('Failed to parse query')
  const tree = await parseSelect(query, limitMs)
  if (tree === null) throw invalid('It is too long or too deeply nested to be read')
  if (!isRecord(tree) || tree['error'] !== true) return asNode(tree)
  const missing = /^Unsupported[^:]*: (?:\w+\.|ColumnExpr)?(\w+?)(?:Clause\(\))?$/.exec(
    String(tree['message']),
  )
  if (missing) throw invalid(`${missing[1]?.toUpperCase()} is not supported`)
  const reserved = /^"\w+" cannot be an alias/.exec(String(tree['message']))
  if (reserved) throw invalid(`${reserved[0]}, it is a reserved word`)
  throw new HogqlError('Failed to parse query', startOf({ ...tree, node: 'Error' }))
}

function compile(tree: Node, model: Model): { schema: ExportSchema; where: string | null } {
  const { columns, where, normalized } = readSelect(tree, model)
  const constants = new Constants()
  const print = (expression: Expression) => printClickhouse(expression, model, constants)
  const fields = columns.map(({ expression, alias }) => ({ expression: print(expression), alias }))
  const condition = where && print(where)
  const length = fields.reduce((sum, { expression }) => sum + expression.length, condition?.length ?? 0)
  if (length > sqlMax) throw invalid('It is too large')
  return { schema: { fields, values: constants.values, hogql_query: normalized }, where: condition }
}
