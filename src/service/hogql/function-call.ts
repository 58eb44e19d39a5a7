import type { Expression, FunctionRule } from './expression.ts'
import { functionRules } from './functions.ts'

/**
 * A call of a function in the list, its arguments read as what the function wants. Whether it wants them at all is for
 * `refusedCall` to say beforehand.
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

/** Why a function in the list cannot be called with these; null when it can. */
export function refusedCall(name: string, rule: FunctionRule, args: readonly Expression[]): string | null {
  const [least, most] = rule.arity
  if (args.length < least || args.length > most) {
    return `Function '${name}' expects ${arityText(least, most)}, found ${args.length}`
  }
  const varying = rule.constants?.find((index) => args.at(index) && !isConstant(args.at(index)))
  if (varying === undefined) return rule.check?.(args) ?? null
  return `Function '${name}' expects a constant as its ${varying === -1 ? 'last argument' : `argument ${varying + 1}`}`
}

/** What the property of a JSON column is: text, or NULL. */
function isProperty(expression: Expression): boolean {
  return expression.kind === 'column' && expression.path.length > 0
}

/** A constant, or a list of them. */
function isConstant(expression: Expression | undefined): boolean {
  if (expression?.kind !== 'call') return expression?.kind === 'constant'
  return (expression.name === 'tuple' || expression.name === 'array') && expression.args.every(isConstant)
}

function isNullable(rule: FunctionRule, args: readonly Expression[]): boolean {
  if (rule.nullable === 'if all are') return args.every((arg) => arg.nullable)
  return rule.nullable ?? args.some((arg) => arg.nullable)
}

/**
 * A property is text: one that is calculated with or meets a number is read as a number, one that meets a truth value as that.
 * Beside an interval everything is read as a time, and beside a time all but constants.
 */
function withOperands(args: readonly Expression[], { operands }: FunctionRule): readonly Expression[] {
  if (operands === 'calculated' && args.some(isInterval)) return args.map(asTime)
  if (operands === 'compared' && args.some((arg) => arg.time)) {
    return args.map((arg) => (isConstant(arg) ? arg : asTime(arg)))
  }
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
