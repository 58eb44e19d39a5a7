import { parseInstant } from '../../contract/instant.ts'

/** Reads a search parameter, which is any JSON value; undefined if the value is not valid. */
type Reader<Value> = (value: unknown) => Value
type Readers = Record<string, Reader<unknown>>

type OptionalName<Params extends Readers> = {
  [Name in keyof Params]: undefined extends ReturnType<Params[Name]> ? Name : never
}[keyof Params]
type Output<Params extends Readers> = {
  [Name in Exclude<keyof Params, OptionalName<Params>>]: ReturnType<Params[Name]>
} & { [Name in OptionalName<Params>]?: ReturnType<Params[Name]> | undefined }

type SearchParams<Params extends Readers> = {
  parse: (search: unknown) => Output<Params>
  /** For the router, which infers the types of links from this property; it has no value. */
  types: { input: { [Name in keyof Params]?: ReturnType<Params[Name]> | undefined }; output: Output<Params> }
}

/**
 * The search parameters of a route; those that are not valid count as absent. Routes need no schemas, because the router
 * knows the parameters of every route and so they are part of the first load.
 */
export function searchParams<Params extends Readers>(params: Params): SearchParams<Params> {
  const parse = (search: object) => {
    const given: Partial<Record<string, unknown>> = { ...search }
    const values = Object.entries(params).map(([name, read]) => [name, read(given[name])] as const)
    // The router would keep a given value that is not replaced, even by undefined.
    return Object.fromEntries(values.filter(([name, value]) => value !== undefined || name in given))
  }
  return { parse } as SearchParams<Params>
}

export const anything = (value: unknown): unknown => value

export const text = textThat(() => true)

export const integer = numberThat(Number.isSafeInteger)

/** An integer from zero on. */
export const index = numberThat((value) => Number.isSafeInteger(value) && value >= 0)

/** A number from zero on. */
export const amount = numberThat((value) => Number.isFinite(value) && value >= 0)

export const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)

/** A date like 2026-01-31. */
export const date = textThat((value) => value.length === 10 && parseInstant(value) !== null)

/** A time in ISO 8601, in UTC unless it has an offset. */
export const instant = textThat((value) => parseInstant(value) !== null)

export const uuid = textThat((value) =>
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value),
)

export function oneOf<const Value>(values: readonly Value[]): Reader<Value | undefined> {
  return (value) => values.find((each) => each === value)
}

/** Any value as text: the router parses a text of digits in the address as a number. */
export function anyText(value: unknown): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- an object is not a search text, but must not fail
  return value === undefined ? '' : String(value)
}

/** Any value as text; undefined if it is missing or empty. */
export function givenText(value: unknown): string | undefined {
  return anyText(value) || undefined
}

/** Reads a missing value, and one that is not valid, as `usual`. */
export function or<Value, const Usual extends Value>(read: Reader<Value | undefined>, usual: Usual) {
  return (value: unknown) => read(value) ?? usual
}

function textThat(isValid: (value: string) => boolean): Reader<string | undefined> {
  return (value) => (typeof value === 'string' && isValid(value) ? value : undefined)
}

function numberThat(isValid: (value: number) => boolean): Reader<number | undefined> {
  return (value) => (typeof value === 'number' && isValid(value) ? value : undefined)
}
