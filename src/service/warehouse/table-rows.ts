import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { quoteString } from '../engines/clickhouse/statement.ts'
import { embeddedJson, quoteIdentifier, type ExportedColumn, type RunRows } from './run-rows.ts'

/** A column of exported rows, as a table receives it. */
export type TableColumn = {
  name: string
  /** The engine's type without `Nullable` and `LowCardinality`: `String` or `DateTime64(6, 'UTC')`, for example. */
  type: string
  isNullable: boolean
  /** The column's text is JSON. */
  isJson: boolean
}

/** A column of a table and the expression of its value, over the text after FROM of the run's rows. */
export type ValuedColumn = TableColumn & {
  /** The value as it is sent, without the characters that databases refuse. */
  value: string
  /** The condition that a value contains such characters; null if none can. */
  isUnclean: string | null
  /** The condition that the database has no such value, so that NULL is sent. */
  isLost?: string
}

/** Returns the columns that a table receives from a run's rows. */
export async function tableColumns(warehouse: Warehouse, rows: RunRows): Promise<ValuedColumn[]> {
  const select = rows.columns.map(({ name, expression }) => `${expression} AS ${quoteIdentifier(name)}`)
  const described = await warehouse.query<{ type: string }>(
    `DESCRIBE TABLE (SELECT ${select.join(', ')} FROM ${rows.from})`,
    { params: rows.params },
  )
  return rows.columns.map((column, index) => {
    const type = described[index]?.type ?? 'String'
    const isNullable = /^(LowCardinality\()?Nullable|^(Variant|Dynamic|JSON)/.test(type)
    return { ...valued(column, plainType(type)), isNullable }
  })
}

/** Returns a type without `Nullable` and `LowCardinality`. */
function plainType(type: string): string {
  return type.replace(/^(LowCardinality|Nullable)\((.*)\)$/, '$2').replace(/^Nullable\((.*)\)$/, '$1')
}

/** Types whose values become JSON, since databases have no such type. */
const nested = /^(Array|Tuple|Map|Nested|JSON|Object|Variant|Dynamic)\b/
/** Types whose text databases read; values of any other type become their text. */
const plain = /^(U?Int|Float|BFloat|Decimal|Bool|Date|UUID)/

type Valued = Omit<ValuedColumn, 'isNullable'>

function valued({ name, expression, kind }: ExportedColumn, type: string): Valued {
  if (kind === 'json') return json(name, storableJson(expression), mayHaveEscapes(expression))
  if (nested.test(type)) return json(name, `toJSONString(${expression})`)
  if (!plain.test(type)) {
    const text = `toString(${expression})`
    const value = `toValidUTF8(replaceAll(${text}, '\\0', ''))`
    // Comparing with the value would copy each text.
    const isUnclean = `position(${text}, '\\0') != 0 OR NOT isValidUTF8(${text})`
    return { name, type: 'String', isJson: false, value, isUnclean }
  }
  // The text of a time does not name its zone.
  const value = type.startsWith('DateTime') ? `toTimeZone(${expression}, 'UTC')` : expression
  return {
    name,
    type: type.replace(/^(DateTime64\(\d+).*|^(DateTime).*/, timeInUtc),
    isJson: false,
    value,
    isUnclean: null,
  }
}

function timeInUtc(_: string, precise: string | undefined): string {
  return precise === undefined ? "DateTime('UTC')" : `${precise}, 'UTC')`
}

/** Embeds JSON text; one with a number of 1,000 digits, which databases refuse, becomes a JSON string, as invalid JSON does. */
function storableJson(column: string): string {
  return `if(length(${column}) >= 1000 AND match(${column}, '[0-9]{1000}'), toJSONString(${column}), ${embeddedJson(column)})`
}

/** The condition that a column's text, embedded as JSON, may have escapes that databases refuse: embedding every text is slower. */
function mayHaveEscapes(column: string): string {
  return `(${hasEscapes(column)} OR position(${column}, '\\0') != 0)`
}

function hasEscapes(text: string): string {
  return `position(${text}, '\\\\u') != 0`
}

/** @param mayBeUnclean condition that the JSON may have escapes that databases refuse */
function json(name: string, expression: string, mayBeUnclean = hasEscapes(expression)): Valued {
  const clean = `replaceRegexpAll(${expression}, ${refused}, '\\\\1')`
  return {
    name,
    type: 'String',
    isJson: true,
    value: `if(${mayBeUnclean}, ${clean}, ${expression})`,
    isUnclean: `${mayBeUnclean} AND ${clean} != ${expression}`,
  }
}

/** Escapes in JSON that databases refuse: NUL and lone surrogates. An escaped backslash and a pair of surrogates are kept. */
const refused = quoteString(
  String.raw`(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})`,
)

/** Cuts a time to microseconds, for databases that have nothing smaller. */
export function inMicroseconds(column: ValuedColumn): ValuedColumn {
  if (!/^DateTime64\([7-9]/.test(column.type)) return column
  return { ...column, type: "DateTime64(6, 'UTC')", value: `toDateTime64(${column.value}, 6, 'UTC')` }
}

/** Selects these columns and, if the table has it, the bound `window`. */
export function selectTableRows(columns: readonly ValuedColumn[], from: string, hasWindows: boolean): string {
  const values = columns.map(({ value }) => value)
  return `SELECT ${[...values, ...(hasWindows ? ['{window: String}'] : [])].join(', ')} FROM ${from}`
}

/** Counts the values that are changed because databases refuse them and, for each column, those sent as NULL. */
export function countChangedValues(columns: readonly ValuedColumn[], from: string): string {
  const unclean = columns.flatMap(({ isUnclean }) => (isUnclean === null ? [] : `countIf(${isUnclean})`))
  const lost = columns.map(({ isLost }) => (isLost === undefined ? 'toUInt64(0)' : `countIf(${isLost})`))
  return `SELECT ${['0', ...unclean].join(' + ')} AS cleaned, [${lost.join(', ')}] AS lost FROM ${from}`
}
