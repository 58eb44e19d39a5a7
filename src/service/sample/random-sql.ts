import { quoteString } from '../engines/clickhouse/statement.ts'

/** Changing the seed changes the whole sample. */
const seed = 'lumen-and-loom-1'

/** Returns SQL of a pseudorandom number that depends only on the keys (SQL expressions). */
export function hashSql(...keys: readonly (string | number)[]): string {
  return `cityHash64(${[quoteString(seed), ...keys].join(', ')})`
}

/** Returns SQL of a pseudorandom number from 0 (inclusive) to 1 (exclusive). */
export function shareSql(...keys: readonly (string | number)[]): string {
  return `(${hashSql(...keys)} % 1000000 / 1000000)`
}

/** Returns SQL that picks one of the values; a value listed twice is picked twice as often. */
export function pickSql(values: readonly string[], ...keys: readonly (string | number)[]): string {
  return `[${values.map(quoteString).join(', ')}][1 + ${hashSql(...keys)} % ${values.length}]`
}

/** Returns SQL of a UUID in the format of version 4. */
export function uuidSql(...keys: readonly (string | number)[]): string {
  const digits = `lower(concat(hex(${hashSql(...keys)}), hex(${hashSql(...keys, "'second half'")})))`
  const padded = `leftPad(${digits}, 32, '0')`
  const part = (from: number, length: number) => `substring(${padded}, ${from}, ${length})`
  return `concat(${part(1, 8)}, '-', ${part(9, 4)}, '-4', ${part(14, 3)}, '-a', ${part(18, 3)}, '-', ${part(21, 12)})`
}
