import type { TableColumn } from '../../warehouse/table-rows.ts'
import { canonicalJson } from './canonical-json.ts'

/** Returns the structure by which the engine reads the columns of a table back: `c0`, `c1` and so on. */
export function readStructure(columns: readonly TableColumn[]): string {
  return columns.map(({ type }, index) => `c${index} Nullable(${type})`).join(', ')
}

/**
 * Returns a SELECT of the number of rows and of a hash that does not depend on their order: the sum, modulo 2^128, of the first half
 * of each row's SHA-256. A row is hashed over all columns; `from` has them as `c0`, `c1` and so on.
 */
export function sumOfTable(columns: readonly TableColumn[], from: string): string {
  const texts = columns.map(
    ({ isJson }, index) => `${isJson ? canonicalJson(`c${index}`) : `toString(c${index})`} AS t${index}`,
  )
  const fields = columns.map((_, index) => `ifNull(concat(toString(length(t${index})), ':', t${index}), '-')`)
  const row = `substring(SHA256(concat('', ${fields.join(', ')})), 1, 16)`
  return `SELECT count() AS rows, lower(leftPad(hex(sum(reinterpretAsUInt128(${row}))), 32, '0')) AS hash
    FROM (SELECT ${texts.join(', ')} FROM ${from})`
}
