import type { Expression, FunctionRule } from './expression.ts'
import { functionRules } from './allowed-functions.ts'

/**
 * Builds a call of a listed function, converting its arguments to the types the function expects. Check the arguments
 * with `callError` first.
 */
export function functionCall(name: string, given: readonly Expression[]): Expression {
  const rule = functionRules.get(name)
  if (!rule) throw new Error(`${name} is not in the list of functions`)
  const args = withTimes(withOperands(given, rule), rule)
  return {
    kind: 'call',
    name,
    rule,
    args,
    nullable: isNullable(rule, args),
    time: rule.time === 'passes' ? args.some((arg) => arg.time) : rule.time === true,
    size: args.reduce((size, arg) => size + arg.size, 1),
  }
}

/** Returns why a listed function cannot be called with these arguments; null if it can. */
export function callError(name: string, rule: FunctionRule, args: readonly Expression[]): string | null {
  const [least, most] = rule.arity
  if (args.length < least || args.length > most)
    return `Function '${name}' expects ${arityText(least, most)}, found ${args.length}`
  const nonConstant = rule.constants?.find((index) => args.at(index) && !isConstant(args.at(index)))
  if (nonConstant === undefined) return rule.check?.(args) ?? null
  return `Function '${name}' expects a constant as its ${nonConstant === -1 ? 'last argument' : `argument ${nonConstant + 1}`}`
}

/** Returns whether the expression is a property of a JSON column: text or NULL. */
function isProperty(expression: Expression): boolean {
  return expression.kind === 'column' && expression.path.length > 0
}

/** Returns whether the expression is a constant or a list of constants. */
function isConstant(expression: Expression | undefined): boolean {
  if (expression?.kind !== 'call') return expression?.kind === 'constant'
  return (expression.name === 'tuple' || expression.name === 'array') && expression.args.every(isConstant)
}

function isNullable(rule: FunctionRule, args: readonly Expression[]): boolean {
  if (rule.nullable === 'if all are') return args.every((arg) => arg.nullable)
  return rule.nullable ?? args.some((arg) => arg.nullable)
}

/**
 * Converts operands. Properties are text: in arithmetic or next to a number they become numbers, next to a boolean they
 * become booleans. Next to an interval every operand becomes a time; next to a time every operand except constants.
 */
function withOperands(args: readonly Expression[], { operands }: FunctionRule): readonly Expression[] {
  if (operands === 'calculated' && args.some(isInterval)) return args.map(asTime)
  if (operands === 'compared' && args.some((arg) => arg.time))
    return args.map((arg) => (isConstant(arg) ? arg : asTime(arg)))
  if (!operands || !args.some(isProperty)) return args
  const kinds = new Set(args.flatMap(constantKinds))
  if (kinds.has('string')) return args
  const isNumber = operands === 'calculated' || kinds.has('number')
  const read = isNumber ? 'toFloat' : kinds.has('boolean') ? 'toBool' : null
  return read ? args.map((arg) => (isProperty(arg) ? functionCall(read, [arg]) : arg)) : args
}

function withTimes(args: readonly Expression[], { times = [] }: FunctionRule): readonly Expression[] {
  return args.map((arg, index) => (times.includes(index) ? asTime(arg) : arg))
}

function asTime(arg: Expression): Expression {
  return arg.time || isInterval(arg) ? arg : functionCall('toDateTime', [arg])
}

function isInterval(expression: Expression): boolean {
  return expression.kind === 'call' && expression.name.startsWith('toInterval')
}

function constantKinds(expression: Expression): string[] {
  if (expression.kind === 'constant') return expression.value === null ? [] : [typeof expression.value]
  return expression.kind === 'call' && isConstant(expression) ? expression.args.flatMap(constantKinds) : []
}

function arityText(least: number, most: number): string {
  if (most === Infinity) return `${least} or more arguments`
  if (least === most) return `${least} ${least === 1 ? 'argument' : 'arguments'}`
  return `${least} to ${most} arguments`
}
