import { inMicroseconds, type TableColumn, type ValuedColumn } from '../../warehouse/table-rows.ts'

type Group = 'integer' | 'decimal' | 'float' | 'time' | 'day' | 'text'

const integers = /^((tiny|small|medium|big)?int|decimal)\b/
/** What an existing column may be for each group; a value that is out of its range is refused when it is loaded. */
const accepted: Record<Group, RegExp | null> = {
  integer: integers,
  decimal: /^decimal\b/,
  float: /^double\b/,
  time: /^(datetime|timestamp)\b/,
  day: /^date$/,
  text: null,
}
const texts = /^(var)?char\b|^(tiny|medium|long)?text$/

/** MySQL's type for each type of the engine, by its beginning; any other value is text. */
const types: readonly (readonly [RegExp, Group, string])[] = [
  [/^Bool/, 'integer', 'TINYINT(1)'],
  [/^Int8$/, 'integer', 'TINYINT'],
  [/^UInt8$/, 'integer', 'TINYINT UNSIGNED'],
  [/^Int16$/, 'integer', 'SMALLINT'],
  [/^UInt16$/, 'integer', 'SMALLINT UNSIGNED'],
  [/^Int32$/, 'integer', 'INT'],
  [/^UInt32$/, 'integer', 'INT UNSIGNED'],
  [/^Int64$/, 'integer', 'BIGINT'],
  [/^UInt64$/, 'integer', 'BIGINT UNSIGNED'],
  [/^U?Int128$/, 'decimal', 'DECIMAL(39,0)'],
  // FLOAT would be read back with six digits.
  [/^B?Float/, 'float', 'DOUBLE'],
  [/^DateTime64/, 'time', 'DATETIME(6)'],
  [/^DateTime/, 'time', 'DATETIME'],
  [/^Date/, 'day', 'DATE'],
  [/^UUID/, 'text', 'CHAR(36)'],
]

/** Most digits of a DECIMAL, before and after the point together, and after it. */
const digitsMax = { all: 65, after: 30 }

function typeOf({ type }: TableColumn): { group: Group; name: string } {
  const [, digits = '', after = ''] = /^Decimal\((\d+), (\d+)\)/.exec(type) ?? []
  if (digits !== '' && Number(digits) <= digitsMax.all && Number(after) <= digitsMax.after)
    return { group: 'decimal', name: `DECIMAL(${digits},${after})` }
  const found = types.find(([pattern]) => pattern.test(type))
  return found ? { group: found[1], name: found[2] } : { group: 'text', name: 'LONGTEXT' }
}

/**
 * Returns the type of a column in a table that the service creates. JSON is LONGTEXT: the type JSON refuses deeply nested values,
 * which anyone could capture, and rounds long numbers.
 */
export function mysqlType(column: TableColumn, isKey: boolean): string {
  const { name } = typeOf(column)
  return isKey && name === 'LONGTEXT' ? 'VARCHAR(400)' : name
}

/** Returns why values of a column cannot be stored in a column of this type, or null. */
export function clashOf(column: TableColumn, typeThere: string): string | null {
  const { group, name } = typeOf(column)
  const isPrecise = name !== 'DATETIME(6)' || typeThere.includes('(6)')
  if (texts.test(typeThere) || (accepted[group]?.test(typeThere) && isPrecise)) return null
  if (column.isJson && typeThere === 'json') return null
  if (column.type === 'UUID' && typeThere === 'uuid') return null
  return `has the type ${typeThere}, in which ${name} cannot be stored: change the column's type, or the destination's table.`
}

/** Replaces what MySQL does not have: NaN and infinity become NULL, and times end after microseconds. */
export function adapt(column: ValuedColumn): ValuedColumn {
  const { type, value } = column
  if (/^B?Float/.test(type))
    return { ...column, value: `if(isFinite(${value}), ${value}, NULL)`, isLost: `NOT isFinite(${value})` }
  return inMicroseconds(column)
}
