import type { TableColumn } from '../../warehouse/table-rows.ts'

/** PostgreSQL's type for each type of the engine, by its beginning; any other value is text. */
const types: readonly (readonly [RegExp, string])[] = [
  [/^Bool/, 'boolean'],
  [/^(Int8|UInt8|Int16)$/, 'smallint'],
  [/^(UInt16|Int32)$/, 'integer'],
  [/^(UInt32|Int64)$/, 'bigint'],
  [/^U?Int\d+$|^Decimal/, 'numeric'],
  [/^Float32|^BFloat/, 'real'],
  [/^Float64/, 'double precision'],
  [/^DateTime/, 'timestamp with time zone'],
  [/^Date/, 'date'],
  [/^UUID/, 'uuid'],
]

/** Returns the type of a column in a table that the service creates. */
export function postgresType({ type, isJson }: TableColumn): string {
  if (isJson) return 'jsonb'
  return types.find(([pattern]) => pattern.test(type))?.[1] ?? 'text'
}

const integers = ['smallint', 'integer', 'bigint', 'numeric']
/** Types in which each type's values can be stored without loss, besides itself and text. */
const wider: Record<string, readonly string[]> = {
  smallint: integers,
  integer: integers.slice(1),
  bigint: integers.slice(2),
  real: ['double precision', 'numeric'],
  'double precision': ['numeric'],
  jsonb: ['json'],
}

/** Returns why values of a column cannot be stored in a column of this type, or null. */
export function clashOf(column: TableColumn, typeThere: string): string | null {
  const type = postgresType(column)
  // `character varying(200)` has a length, which a value may exceed: the database then refuses the rows.
  const plain = typeThere.replace(/\(.*?\)/, '')
  const fits = [type, 'text', 'character varying', ...(wider[type] ?? [])].includes(plain)
  const isNumber = type === 'smallint' && plain === 'boolean'
  if (fits || isNumber) return null
  return `has the type ${typeThere}, in which ${type} cannot be stored: change the column's type, or the destination's table.`
}
