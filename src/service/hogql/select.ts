import type { Model } from '../../contract/exports/batch-export.ts'
import type { Source } from './columns.ts'
import { HogqlError, invalid } from './error.ts'
import type { Expression } from './expression.ts'
import { lower, lowerAllColumns } from './lower.ts'
import { asNode, asNodes, asText, isAbsent, startOf, type Node } from './node.ts'
import { printHogql, printIdentifier } from './print.ts'

/** An export's query, parsed and checked. */
export type Select = {
  columns: readonly Column[]
  where: Expression | null
  /** The query in normal form. */
  normalized: string
}

/** A column of the file; `start` is its position in the query, in characters. */
type Column = { expression: Expression; alias: string; start: number | undefined }

const fieldsMax = 200
const aliasCharactersMax = 128
const expressionsMax = 5_000

/** Checks a parsed query. @throws HogqlError for anything that an export does not support. */
export function readSelect(tree: Node, model: Model): Select {
  const source = readSource(tree, model)
  rejectRest(tree, new Set(['select', 'select_from', 'where', 'ctes']))
  const fields = asNodes(tree['select']).map((node) => readField(node, source))
  const columns = fields.flatMap((field) => field.columns)
  const where = isAbsent(tree['where']) ? null : lower(asNode(tree['where']), source)
  rejectSize(columns, where)
  rejectNames(columns, model)
  return { columns, where, normalized: normalized(fields, source, where) }
}

/** An item of the SELECT list: its normalised text and its columns. */
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

/**
 * Names a field without AS: a column by its name, a property by its path, a constant by its value, others by their text.
 */
function impliedAlias(expression: Expression): string {
  if (expression.kind === 'constant') return String(expression.value ?? 'NULL')
  if (expression.kind === 'call') return printHogql(expression)
  return expression.path.length ? expression.path.join('__') : (expression.chain.at(-1) ?? expression.column)
}

function readSource(tree: Node, model: Model): Source {
  if (tree.node === 'SelectSetQuery') throw new HogqlError('UNIONs are not supported')
  const wrongSource = new HogqlError(`Query must SELECT FROM ${model}`)
  if (tree.node !== 'SelectQuery') throw wrongSource
  if (!isAbsent(tree['ctes'])) throw new HogqlError('Subqueries or CTEs are not supported')
  if (isAbsent(tree['select_from'])) throw wrongSource
  const from = asNode(tree['select_from'])
  const table = asNode(from['table'])
  if (table.node === 'SelectQuery' || table.node === 'SelectSetQuery')
    throw new HogqlError('Subqueries or CTEs are not supported', startOf(table))
  const chain = table.node === 'Field' && Array.isArray(table['chain']) ? table['chain'] : []
  if (chain.length !== 1 || chain[0] !== model || from['table_args'] !== undefined) throw wrongSource
  if (!isAbsent(from['next_join'])) throw new HogqlError('JOINs are not supported')
  rejectRest(from, new Set(['table', 'alias']))
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

/** Rejects every field of the node that is not in `known`. */
function rejectRest(node: Node, known: ReadonlySet<string>): void {
  const own = new Set(['node', 'start', 'end'])
  const extra = Object.keys(node).find((key) => !own.has(key) && !known.has(key) && !isAbsent(node[key]))
  if (extra === undefined) return
  throw invalid(`${clauses[extra] ?? extra} is not supported: an export writes one row for each row it reads`)
}

function rejectSize(columns: readonly Column[], where: Expression | null): void {
  if (columns.length > fieldsMax) throw invalid(`It has more than ${fieldsMax} fields`)
  const size = columns.reduce((sum, { expression }) => sum + expression.size, where?.size ?? 0)
  if (size > expressionsMax) throw invalid('It is too large')
}

/** Rejects field names that cannot be columns of a file: repeated names, and names that a statement could misread. */
function rejectNames(columns: readonly Column[], model: Model): void {
  const seen = new Set<string>()
  for (const { alias, start } of columns) {
    if (alias.length > aliasCharactersMax)
      throw invalid(
        `A name can have at most ${aliasCharactersMax} characters: give this field a shorter one with AS`,
        start,
      )
    if (alias.trim() === '' || /[\p{Cc}\p{Cs}`\\]|\/\*/u.test(alias))
      throw invalid(
        'A name must not be empty or contain a backtick, backslash, control character or comment: give this field another with AS',
        start,
      )
    if (alias === model) throw invalid(`A field cannot have the table's name '${model}'`, start)
    if (seen.has(alias)) throw invalid(`Two fields are named '${alias}': rename one with AS`, start)
    seen.add(alias)
  }
}

function normalized(fields: readonly Field[], { model, alias }: Source, where: Expression | null): string {
  const list = fields.map(({ text }) => text).join(', ')
  const table = alias === null ? model : `${model} AS ${printIdentifier(alias)}`
  return `SELECT ${list} FROM ${table}${where ? ` WHERE ${printHogql(where)}` : ''}`
}
