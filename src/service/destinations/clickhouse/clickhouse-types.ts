import type { TableColumn } from '../../warehouse/table-rows.ts'

/** Returns the type of a column in a table that the service creates. */
export function clickhouseType({ type, isNullable }: TableColumn): string {
  return isNullable ? `Nullable(${type})` : type
}

/** Returns why values of a column cannot be stored in a column of this type, or null. */
export function clashOf(column: TableColumn, typeThere: string): string | null {
  const plain = typeThere.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1')
  const isNullable = plain !== typeThere && typeThere.includes('Nullable(')
  const fits = (isNullable || !column.isNullable) && fitsIn(column.type, plain)
  if (fits) return null
  return `has the type ${typeThere}, in which ${clickhouseType(column)} cannot be stored: change the column's type, or the destination's table.`
}

function fitsIn(type: string, there: string): boolean {
  if (there === 'String' || there === type) return true
  const [from, to] = [numberOf(type), numberOf(there)]
  if (from && to)
    return to.isSigned === from.isSigned ? to.bits >= from.bits : to.isSigned && to.bits > from.bits
  if (/^(Float32|BFloat16)$/.test(type)) return there === 'Float64'
  if (type === 'Date') return there === 'Date32'
  if (!type.startsWith('DateTime')) return false
  // The zone of a column does not change the time.
  if (/^DateTime\b(?!64)/.test(there)) return !type.startsWith('DateTime64')
  return there.startsWith('DateTime64') && digitsOf(there) >= digitsOf(type)
}

function numberOf(type: string): { isSigned: boolean; bits: number } | null {
  const [, unsigned, bits] = /^(U?)Int(\d+)$/.exec(type) ?? []
  return bits === undefined ? null : { isSigned: unsigned === '', bits: Number(bits) }
}

function digitsOf(type: string): number {
  return Number(/^DateTime64\((\d+)/.exec(type)?.[1] ?? 0)
}
