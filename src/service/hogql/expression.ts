export type Constant = string | number | boolean | null

type Traits = {
  /** ClickHouse may give NULL for it. */
  nullable: boolean
  /** It is a date or a time. */
  time: boolean
  /** How many expressions it is written with, itself included. */
  size: number
}

type ColumnExpression = {
  kind: 'column'
  column: string
  /** Where in the JSON text of the column, by names and by numbers from 1; empty for the column itself. */
  path: readonly (string | number)[]
  /** How the query names the column. */
  chain: readonly string[]
}

/** A checked expression: the only columns and functions in it are those a query may use. */
export type Expression = Traits &
  (
    | { kind: 'constant'; value: Constant }
    | ColumnExpression
    | { kind: 'call'; name: string; rule: FunctionRule; args: readonly Expression[] }
  )

/** What a function takes and gives. */
export type FunctionRule = {
  /** The least and the most arguments. */
  arity: readonly [number, number]
  /**
   * Arguments that must be constants (-1: the last): patterns, formats, units, zones. ClickHouse quotes a bad one in its
   * error, and that text must never come from rows.
   */
  constants?: readonly number[]
  /** Why the arguments are refused, or null. */
  check?: (args: readonly Expression[]) => string | null
  /** What its properties are read as: numbers when calculated, what they meet when compared. */
  operands?: 'compared' | 'calculated'
  /** Arguments that are read as times. */
  times?: readonly number[]
  /** Whether the result may be NULL; without it, when an argument may. */
  nullable?: boolean | 'if all are'
  /** Whether the result is a date or a time; `passes` when an argument is. */
  time?: boolean | 'passes'
  /** Without it, the call is written under the function's own name. */
  print?: PrintCall
}

/**
 * ClickHouse SQL of a call, given that of its arguments and the arguments themselves; `placeholder` makes a constant of the
 * statement and gives the text that stands for it.
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
