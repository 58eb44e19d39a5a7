import type { Model } from '../../contract/exports/batch-export.ts'
import { invalid } from './error.ts'
import type { Constant, Expression } from './expression.ts'

const constantsMax = 1_000

/** The constants of a statement, by the names of their placeholders. */
export class Constants {
  readonly values: Record<string, Constant> = {}
  readonly #inline: boolean
  #count = 0

  /** @param inline whether numbers, booleans and NULL are printed in place, as PostHog does. */
  constructor(inline: boolean) {
    this.#inline = inline
  }

  /** Returns a constant's SQL: its placeholder, or its value. */
  print(value: Constant): string {
    if (!this.#inline || typeof value === 'string') return this.placeholder(value)
    return value === null ? 'NULL' : String(Number(value))
  }

  /** Adds a constant and returns its placeholder. */
  readonly placeholder = (value: Constant): string => {
    if (this.#count >= constantsMax) throw invalid(`It has more than ${constantsMax} constants`)
    const name = `hogql_val_${this.#count}`
    this.#count += 1
    this.values[name] = value
    return `%(${name})s`
  }
}

/** Prints ClickHouse SQL over a table named after the model. */
export function printClickhouse(expression: Expression, model: Model, constants: Constants): string {
  switch (expression.kind) {
    case 'constant':
      return constants.print(expression.value)
    case 'column': {
      const name = `${model}.${expression.column}`
      if (expression.path.length === 0) return name
      const path = expression.path.map(constants.placeholder).join(', ')
      return `replaceRegexpAll(nullIf(nullIf(JSONExtractRaw(${name}, ${path}), ''), 'null'), '^"|"$', '')`
    }
    case 'call': {
      const args = expression.args.map((arg) => printClickhouse(arg, model, constants))
      if (expression.rule.print) return expression.rule.print(args, expression.args, constants.placeholder)
      return expression.name === 'array' ? `[${args.join(', ')}]` : `${expression.name}(${args.join(', ')})`
    }
  }
}

/** Prints HogQL that parses to the same expression. */
export function printHogql(expression: Expression): string {
  switch (expression.kind) {
    case 'constant':
      return printConstant(expression.value)
    case 'column': {
      const chain = expression.chain.map(printIdentifier).join('.')
      const steps = expression.path.map((step) =>
        typeof step === 'number' ? `[${step}]` : `.${printIdentifier(step)}`,
      )
      return chain + steps.join('')
    }
    case 'call': {
      const args = expression.args.map(printHogql).join(', ')
      return expression.name === 'array' ? `[${args}]` : `${expression.name}(${args})`
    }
  }
}

/** Prints a name in HogQL, in backticks where necessary. */
export function printIdentifier(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && !reserved.test(name)) return name
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '``')}\``
}

/** Words that the grammar does not accept as a name. */
const reserved =
  /^(catch|except|false|finally|fn|fun|inf|infinity|intersect|let|materialized|nan|null|throw|true|try|while|within)$/i

function printConstant(value: Constant): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value)
  return `'${value.replace(/[\\'\n\r\t]/g, (character) => escapes[character] ?? character)}'`
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}
