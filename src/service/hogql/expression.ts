export type Constant = string | number | boolean | null

type Traits = {
  /** Whether ClickHouse may return NULL. */
  nullable: boolean
  /** Whether the value is a date or a time. */
  time: boolean
  /** Number of expressions in the tree, including this one. */
  size: number
}

type ColumnExpression = {
  kind: 'column'
  column: string
  /** Path into the column's JSON: names, and indexes from 1. Empty for the column itself. */
  path: readonly (string | number)[]
  /** The column's name as the query writes it, split at dots. */
  chain: readonly string[]
}

/** A checked expression: it contains only columns and functions that a query may use. */
export type Expression = Traits &
  (
    | { kind: 'constant'; value: Constant }
    | ColumnExpression
    | { kind: 'call'; name: string; rule: FunctionRule; args: readonly Expression[] }
  )

/** Describes the arguments and the result of a function. */
export type FunctionRule = {
  /** Minimum and maximum number of arguments. */
  arity: readonly [number, number]
  /**
   * Arguments that must be constants (-1: the last): patterns, formats, units, time zones. ClickHouse quotes an invalid
   * one in its error, which must never reveal a row's text.
   */
  constants?: readonly number[]
  /** Returns why the arguments are invalid, or null. */
  check?: (args: readonly Expression[]) => string | null
  /**
   * How properties among the arguments are converted: to numbers if calculated, to the other operand's type if compared.
   */
  operands?: 'compared' | 'calculated'
  /** Arguments that are converted to times. */
  times?: readonly number[]
  /** Whether the result may be NULL; by default, if any argument may. */
  nullable?: boolean | 'if all are'
  /** Whether the result is a date or a time; `passes`: if any argument is. */
  time?: boolean | 'passes'
  /** Prints the call; by default, under the function's own name. */
  print?: PrintCall
}

/**
 * Returns the ClickHouse SQL of a call, given the SQL of its arguments and the arguments themselves; `placeholder` adds
 * a constant to the statement and returns its placeholder.
 */
export type PrintCall = (
  args: readonly string[],
  given: readonly Expression[],
  placeholder: (value: string) => string,
) => string

export function constant(value: Constant): Expression {
  return { kind: 'constant', value, nullable: value === null, time: false, size: 1 }
}

export function column({ column, path, chain }: Omit<ColumnExpression, 'kind'>, time: boolean): Expression {
  return { kind: 'column', column, path, chain, nullable: path.length > 0, time, size: 1 + path.length }
}
