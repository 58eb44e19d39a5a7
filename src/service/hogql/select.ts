import type { Model } from '../../contract/batch-export.ts'
import type { Source } from './columns.ts'
import { HogqlError, invalid } from './error.ts'
import type { Expression } from './expression.ts'
import { lower, lowerAllColumns } from './lower.ts'
import { asNode, asNodes, asText, isAbsent, startOf, type Node } from './node.ts'
import { printHogql, printIdentifier } from './print.ts'

/** A query that an export can have, read and checked. */
export type Select = {
  columns: readonly Column[]
  where: Expression | null
  /** The same query in one spelling. */
  normalized: string
}

/** A column of the file; `start` is where the query gives it, in characters. */
type Column = { expression: Expression; alias: string; start: number | undefined }

const fieldsMax = 200
const aliasMax = 128
const sizeMax = 5_000

/** @throws HogqlError for whatever an export cannot have. */
export function readSelect(tree: Node, model: Model): Select {
  const source = readSource(tree, model)
  refuseRest(tree, new Set(['select', 'select_from', 'where', 'ctes']))
  const fields = asNodes(tree['select']).map((node) => readField(node, source))
  const columns = fields.flatMap((field) => field.columns)
  const where = isAbsent(tree['where']) ? null : lower(asNode(tree['where']), source)
  refuseSize(columns, where)
  refuseNames(columns, model)
  return { columns, where, normalized: normalized(fields, source, where) }
}

/** One item of the SELECT list: its normalised text and the columns it gives. */
type Field = { text: string; columns: Column[] }

function readField(node: Node, source: Source): Field {
  const start = startOf(node)
  const all = lowerAllColumns(node, source)
  if (all) {
    const columns = all.map((expression) => ({ expression, alias: impliedAlias(expression), start }))
    return { text: '*', columns }
  }
  if (node.node !== 'Alias') {
    const expression = lower(node, source)
    return { text: printHogql(expression), columns: [{ expression, alias: impliedAlias(expression), start }] }
  }
  const expression = lower(asNode(node['expr']), source)
  const alias = asText(node['alias'])
  return {
    text: `${printHogql(expression)} AS ${printIdentifier(alias)}`,
    columns: [{ expression, alias, start }],
  }
}

/** A column is called by its name, a property by its path, a constant by its value, anything else by its text. */
function impliedAlias(expression: Expression): string {
  if (expression.kind === 'constant') return String(expression.value ?? 'NULL')
  if (expression.kind === 'call') return printHogql(expression)
  return expression.path.length ? expression.path.join('__') : (expression.chain.at(-1) ?? expression.column)
}

function readSource(tree: Node, model: Model): Source {
  if (tree.node === 'SelectSetQuery') throw new HogqlError('UNIONs are not supported')
  const elsewhere = new HogqlError(`Query must SELECT FROM ${model}`)
  if (tree.node !== 'SelectQuery') throw elsewhere
  if (!isAbsent(tree['ctes'])) throw new HogqlError('Subqueries or CTEs are not supported')
  if (isAbsent(tree['select_from'])) throw elsewhere
  const from = asNode(tree['select_from'])
  const table = asNode(from['table'])
  if (table.node === 'SelectQuery' || table.node === 'SelectSetQuery') {
    throw new HogqlError('Subqueries or CTEs are not supported', startOf(table))
  }
  const chain = table.node === 'Field' && Array.isArray(table['chain']) ? table['chain'] : []
  if (chain.length !== 1 || chain[0] !== model || from['table_args'] !== undefined) throw elsewhere
  if (!isAbsent(from['next_join'])) throw new HogqlError('JOINs are not supported')
  refuseRest(from, new Set(['table', 'alias']))
  return { model, alias: isAbsent(from['alias']) ? null : asText(from['alias']) }
}

const clauses: Readonly<Record<string, string>> = {
  distinct: 'DISTINCT',
  array_join_op: 'ARRAY JOIN',
  array_join_list: 'ARRAY JOIN',
  prewhere: 'PREWHERE',
  group_by: 'GROUP BY',
  having: 'HAVING',
  qualify: 'QUALIFY',
  window_exprs: 'WINDOW',
  order_by: 'ORDER BY',
  limit: 'LIMIT',
  limit_by: 'LIMIT BY',
  limit_with_ties: 'LIMIT WITH TIES',
  offset: 'OFFSET',
  settings: 'SETTINGS',
  sample: 'SAMPLE',
  table_final: 'FINAL',
  column_aliases: 'A list of column names',
}

/** Refuses whatever else the node has, known or not. */
function refuseRest(node: Node, known: ReadonlySet<string>): void {
  const own = new Set(['node', 'start', 'end'])
  const extra = Object.keys(node).find((key) => !own.has(key) && !known.has(key) && !isAbsent(node[key]))
  if (extra === undefined) return
  throw invalid(`${clauses[extra] ?? extra} is not supported: an export has one row for each row it reads`)
}

function refuseSize(columns: readonly Column[], where: Expression | null): void {
  if (columns.length > fieldsMax) throw invalid(`It has more than ${fieldsMax} fields`)
  const size = columns.reduce((sum, { expression }) => sum + expression.size, where?.size ?? 0)
  if (size > sizeMax) throw invalid('It is too large')
}

/** Names become columns of the file: refuses those that cannot be told apart, or that a statement could misread. */
function refuseNames(columns: readonly Column[], model: Model): void {
  const seen = new Set<string>()
  for (const { alias, start } of columns) {
    if (alias.length > aliasMax) {
      throw invalid(`A name has at most ${aliasMax} characters: give this field a short one with AS`, start)
    }
    if (alias.trim() === '' || /[\p{Cc}\p{Cs}`\\]|\/\*/u.test(alias)) {
      throw invalid(
        'A name is not empty and has no backtick, backslash, control character or comment: give this field another with AS',
        start,
      )
    }
    if (alias === model) throw invalid(`A field cannot have the table's name '${model}'`, start)
    if (seen.has(alias))
      throw invalid(`Two fields are called '${alias}': give one another name with AS`, start)
    seen.add(alias)
  }
}

function normalized(fields: readonly Field[], { model, alias }: Source, where: Expression | null): string {
  const list = fields.map(({ text }) => text).join(', ')
  const table = alias === null ? model : `${model} AS ${printIdentifier(alias)}`
  return `SELECT ${list} FROM ${table}${where ? ` WHERE ${printHogql(where)}` : ''}`
}
