import type { propertyOperators, PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import { invalidInput } from '../../problems/api-error.ts'

type Operator = (typeof propertyOperators)[number]
type Value = string | number | boolean

/** A comparison of a property's text. With `negated`, it matches whatever the comparison does not match. */
export type Comparison = { negated: boolean } & (
  | { kind: 'is_set' }
  | { kind: 'exact' | 'icontains' | 'regex'; values: readonly string[] }
  | { kind: 'order'; sign: '>' | '>=' | '<' | '<='; value: string; number: number | null }
)

const negations: Partial<Record<Operator, Operator>> = {
  is_not: 'exact',
  not_icontains: 'icontains',
  not_regex: 'regex',
  is_not_set: 'is_set',
}
const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Reads a filter's comparison. @throws ApiError 400 on `attr` when the operator lacks its value. */
export function readComparison(
  { key, operator, value }: Omit<PropertyFilter, 'type'>,
  attr: string,
): Comparison {
  const positive = negations[operator] ?? operator
  const negated = positive !== operator
  if (positive === 'is_set') return { kind: 'is_set', negated }
  if (value === undefined || value === null)
    throw invalidInput(`The filter on "${key}" with "${operator}" needs a value.`, [attr])
  const values = Array.isArray(value) ? value : [value]
  if (positive === 'exact' || positive === 'icontains' || positive === 'regex')
    return { kind: positive, negated, values: values.map(String) }
  const [only, ...others] = values
  if (only === undefined || others.length > 0 || !(positive in signs))
    throw invalidInput(`The filter on "${key}" with "${operator}" needs exactly one value.`, [attr])
  const sign = signs[positive as keyof typeof signs]
  return { kind: 'order', negated, sign, value: String(only), number: asNumber(only) }
}

export function isNegated(operator: Operator): boolean {
  return operator in negations
}

/** Returns the filter without its negation. */
export function positiveFilter(filter: PropertyFilter): PropertyFilter {
  return { ...filter, operator: negations[filter.operator] ?? filter.operator }
}

/** Returns the value as a number; null if it is not numeric. */
export function asNumber(value: Value): number | null {
  if (typeof value === 'boolean' || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}
