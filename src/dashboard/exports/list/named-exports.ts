import { counted } from '../../format/amount.ts'

/** Names one export, or counts several: "Orders", "3 exports". */
export function namedExports(rows: readonly { name: string }[]): string {
  const [only] = rows
  return rows.length === 1 && only ? only.name : counted(rows.length, 'export')
}
