import { quoteString } from '../engines/statement.ts'

/** Change it, and the sample is another one. */
const seed = 'lumen-and-loom-1'

/** SQL of a number that looks random and is always the same for the same keys (SQL expressions). */
export function hashSql(...keys: readonly (string | number)[]): string {
  return `cityHash64(${[quoteString(seed), ...keys].join(', ')})`
}

/** SQL of a share: from 0 up to 1. */
export function shareSql(...keys: readonly (string | number)[]): string {
  return `(${hashSql(...keys)} % 1000000 / 1000000)`
}

/** SQL that picks one of the values; one that is listed twice comes twice as often. */
export function pickSql(values: readonly string[], ...keys: readonly (string | number)[]): string {
  return `[${values.map(quoteString).join(', ')}][1 + ${hashSql(...keys)} % ${values.length}]`
}

/** SQL of a UUID (version 4 by its looks). */
export function uuidSql(...keys: readonly (string | number)[]): string {
  const digits = `lower(concat(hex(${hashSql(...keys)}), hex(${hashSql(...keys, "'second half'")})))`
  const padded = `leftPad(${digits}, 32, '0')`
  const part = (from: number, length: number) => `substring(${padded}, ${from}, ${length})`
  return `concat(${part(1, 8)}, '-', ${part(9, 4)}, '-4', ${part(14, 3)}, '-a', ${part(18, 3)}, '-', ${part(21, 12)})`
}
