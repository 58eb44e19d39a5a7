import { counted } from '../../words/amount.ts'

/** One export by its name, several by their number. */
export function namedExports(rows: readonly { name: string }[]): string {
  const [only] = rows
  return rows.length === 1 && only ? only.name : counted(rows.length, 'export')
}
