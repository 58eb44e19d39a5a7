import type { ColumnChange } from '../../../contract/destinations/tables/column-changes.ts'

/** Describes how a table receives a column: "ip left out", "distinct_id as visitor, hashed". */
export function columnChangeInWords({ name, as, hash, omit }: ColumnChange): string {
  if (omit) return `${name} left out`
  if (as === undefined) return hash ? `${name} hashed` : `${name} as it is`
  return `${name} as ${as}${hash ? ', hashed' : ''}`
}
