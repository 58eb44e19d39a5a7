import { allColumns, isAllColumns, resolveField, resolveStep, type Source } from './columns.ts'
import { invalid, HogqlError } from './error.ts'
import { callError, functionCall } from './function-call.ts'
import { constant, type Expression } from './expression.ts'
import { byName, functionName, missingFunction } from './function-names.ts'
import { functionRules } from './allowed-functions.ts'
import { asNode, asNodes, asText, isAbsent, startOf, type Node } from './node.ts'

const depthMax = 100

/**
 * Lowers a node of the parser's tree to an expression over the source: every operator becomes a function call.
 * @throws HogqlError, with its position, for anything that an export does not support.
 */
export function lower(node: Node, source: Source, depth = 1): Expression {
  if (depth > depthMax) throw invalid(`It is nested more than ${depthMax} levels deep`, startOf(node))
  const inner = (value: unknown) => lower(asNode(value), source, depth + 1)
  const inners = (value: unknown) => asNodes(value).map((item) => lower(item, source, depth + 1))

  switch (node.node) {
    case 'Constant':
      return constant(constantValue(node))
    case 'Field':
      return field(node, source)
    case 'ArrayAccess':
      return step(inner(node['array']), inner(node['property']), node, source)
    case 'TupleAccess':
      return tupleStep(inner(node['tuple']), Number(node['index']), node, source)
    case 'ArithmeticOperation':
      return checkedCall(operator(arithmetic, node), [inner(node['left']), inner(node['right'])], node)
    case 'CompareOperation':
      return comparison(inner(node['left']), inner(node['right']), node)
    case 'BetweenExpr':
      return between(inner(node['expr']), inner(node['low']), inner(node['high']), node)
    case 'And':
    case 'Or':
      return checkedCall(node.node, inners(node['exprs']), node)
    case 'Not':
      return checkedCall('not', [inner(node['expr'])], node)
    case 'Array':
    case 'Tuple':
      return checkedCall(node.node, inners(node['exprs']), node)
    case 'TypeCast':
    case 'TryCast':
      return checkedCall(castFunction(node), [inner(node['expr'])], node)
    case 'Call':
      rejectCall(node)
      return checkedCall(asText(node['name']), inners(node['args']), node)
    case 'SelectQuery':
    case 'SelectSetQuery':
      throw new HogqlError('Subqueries or CTEs are not supported', startOf(node))
    default:
      throw invalid(`${unsupported[node.node] ?? `${node.node} is`} not supported`, startOf(node))
  }
}

/** Expands a `*` in the SELECT list to all columns; returns null for any other node. */
export function lowerAllColumns(node: Node, source: Source): Expression[] | null {
  if (node.node !== 'Field' || !isAllColumns(chainOf(node), source)) return null
  return allColumns(source)
}

const unsupported: Readonly<Record<string, string>> = {
  Alias: 'AS inside an expression is',
  ArraySlice: 'A slice like [1:2] (use arraySlice() instead) is',
  ColumnsExpr: 'COLUMNS or EXCLUDE is',
  Dict: 'A dictionary is',
  ExprCall: 'A type with arguments, or a call of an expression, is',
  HogQLXTag: 'A tag is',
  IsDistinctFrom: 'IS DISTINCT FROM is',
  Lambda: 'A lambda is',
  NamedArgument: 'A named argument is',
  Placeholder: 'A placeholder like {name} is',
  WindowFunction: 'A window function is',
}

const arithmetic: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
}

const comparisons: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
  '>': 'greater',
  '>=': 'greaterOrEquals',
  like: 'like',
  ilike: 'ilike',
  'not like': 'notLike',
  'not ilike': 'notILike',
  in: 'in',
  'not in': 'notIn',
}

const casts = byName({
  toString: 'string text varchar',
  toInt: 'int int64 integer bigint',
  toFloat: 'float float64 double',
  toBool: 'bool boolean',
  toUUID: 'uuid',
  toDate: 'date',
  toDateTime: 'datetime datetime64 timestamp',
})

function operator(names: Readonly<Record<string, string>>, node: Node): string {
  const symbol = asText(node['op'])
  if (!Object.hasOwn(names, symbol))
    throw invalid(`The operator ${symbol.toUpperCase()} is not supported`, startOf(node))
  return names[symbol] ?? symbol
}

function checkedCall(given: string, args: readonly Expression[], node: Node): Expression {
  const name = functionName(given)
  const rule = functionRules.get(name)
  const refusal = rule ? callError(name, rule, args) : missingFunction(given)
  if (refusal !== null) throw invalid(refusal, startOf(node))
  return functionCall(name, args)
}

function constantValue(node: Node): string | number | boolean | null {
  const value = node['value']
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string' && node['value_type'] === undefined) return value
  // JavaScript, and the JSON of the schema, cannot represent larger numbers exactly.
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value
  throw invalid(`A number must be within ±${Number.MAX_SAFE_INTEGER}`, startOf(node))
}

function chainOf(node: Node): string[] {
  const chain = node['chain']
  return Array.isArray(chain) ? chain.map(asText) : [asText(chain)]
}

function field(node: Node, source: Source): Expression {
  const chain = chainOf(node)
  const found = resolveField(chain, source)
  if (!found) throw invalid(`Unable to resolve field: ${chain.join('.')}`, startOf(node))
  return found
}

function step(base: Expression, key: Expression, node: Node, source: Source): Expression {
  const value = key.kind === 'constant' ? key.value : null
  if (value === 0) throw invalid('List indexes start at 1', startOf(node))
  const isStep = typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))
  const found = isStep ? resolveStep(base, value, source) : null
  if (found) return found
  if (base.kind !== 'column' && typeof value !== 'string')
    return checkedCall('arrayElement', [base, key], node)
  throw invalid('Only JSON columns have properties, and property names must be constants', startOf(node))
}

function tupleStep(base: Expression, index: number, node: Node, source: Source): Expression {
  if (!Number.isSafeInteger(index) || index < 1) throw invalid('List indexes start at 1', startOf(node))
  return resolveStep(base, index, source) ?? checkedCall('tupleElement', [base, constant(index)], node)
}

function comparison(left: Expression, right: Expression, node: Node): Expression {
  const symbol = asText(node['op'])
  if (symbol.includes('~')) return regularExpression(symbol, left, right, node)
  const name = operator(comparisons, node)
  if (name === 'in' || name === 'notIn') return checkedCall(name, [left, asList(right)], node)
  const compared = isNull(right) ? left : isNull(left) ? right : null
  if (compared && name === 'equals') return functionCall('isNull', [compared])
  if (compared && name === 'notEquals') return functionCall('isNotNull', [compared])
  return checkedCall(name, [left, right], node)
}

function isNull(expression: Expression): boolean {
  return expression.kind === 'constant' && expression.value === null
}

/** Restores a list of one item, whose brackets the parser removes. */
function asList(right: Expression): Expression {
  return right.kind === 'constant' ? functionCall('tuple', [right]) : right
}

function regularExpression(symbol: string, left: Expression, right: Expression, node: Node): Expression {
  const ignoresCase = symbol.endsWith('*')
  const isText = right.kind === 'constant' && typeof right.value === 'string'
  const pattern = isText && ignoresCase ? constant(`(?i)${right.value}`) : right
  if (ignoresCase && !isText)
    throw invalid(`The operator ${symbol} expects a constant pattern`, startOf(node))
  const matched = checkedCall('match', [left, pattern], node)
  return symbol.startsWith('!') ? functionCall('not', [matched]) : matched
}

function between(value: Expression, low: Expression, high: Expression, node: Node): Expression {
  const both = functionCall('and', [
    functionCall('greaterOrEquals', [value, low]),
    functionCall('lessOrEquals', [value, high]),
  ])
  return isAbsent(node['negated']) ? both : functionCall('not', [both])
}

function castFunction(node: Node): string {
  const type = asText(node['type_name']).toLowerCase()
  const name = casts.get(type)
  if (name === undefined) throw invalid(`A cast to ${type} is not supported`, startOf(node))
  return name
}

const callKeys = new Set(['node', 'start', 'end', 'name', 'args'])
const callExtras: Readonly<Record<string, string>> = {
  distinct: 'DISTINCT',
  filter_expr: 'FILTER',
  order_by: 'ORDER BY',
  params: 'A second list of arguments',
}

/** Rejects unsupported calls before their arguments are read, so that the error names the outermost mistake. */
function rejectCall(node: Node): void {
  const name = asText(node['name'])
  if (!functionRules.has(functionName(name))) throw invalid(missingFunction(name), startOf(node))
  const extra = Object.keys(node).find((key) => !callKeys.has(key) && !isAbsent(node[key]))
  if (extra === undefined) return
  throw invalid(`${callExtras[extra] ?? extra} in a call is not supported`, startOf(node))
}
