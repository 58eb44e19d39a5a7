import { quotePostgres as quote } from '../../../contract/destinations/tables/window-query.ts'
import type { TableColumn } from '../../warehouse/table-rows.ts'
import { windowColumn, type MergeKey } from '../table-store.ts'
import { postgresType } from './postgres-types.ts'

export function createStatement(
  table: string,
  columns: readonly TableColumn[],
  merge: MergeKey | null,
): string {
  const fields = [
    ...columns.map((column) => `${quote(column.name)} ${postgresType(column)}`),
    `${quote(windowColumn)} text NOT NULL`,
    ...(merge ? [`UNIQUE (${list(merge.keys)})`] : []),
  ]
  return `CREATE TABLE ${table} (\n  ${fields.join(',\n  ')}\n);\nCREATE INDEX ON ${table} (${quote(windowColumn)});`
}

/** Of staged rows with the same key the newest is merged, unless the table has a newer one; equally new rows belong to the later window. */
export function mergeStatement(
  table: string,
  stage: string,
  names: readonly string[],
  { keys, versions }: MergeKey,
): string {
  const age = [...versions, windowColumn]
  const changed = names.filter((name) => !keys.includes(name))
  return `INSERT INTO ${table} AS there (${list(names)})
    SELECT DISTINCT ON (${list(keys)}) ${list(names)} FROM ${stage}
    ORDER BY ${list(keys)}, ${age.map((name) => `${quote(name)} DESC`).join(', ')}
    ON CONFLICT (${list(keys)}) DO UPDATE SET ${changed.map((name) => `${quote(name)} = excluded.${quote(name)}`).join(', ')}
    WHERE (${age.map((name) => `there.${quote(name)}`).join(', ')}) < (${age.map((name) => `excluded.${quote(name)}`).join(', ')})`
}

/** Selects a value as text that the engine reads with the source's type. */
export function readExpression(column: TableColumn): string {
  const name = quote(column.name)
  if (column.type.startsWith('DateTime')) return `to_char(${name}, 'YYYY-MM-DD HH24:MI:SS.US')`
  return column.type === 'Bool' || /^U?Int8$/.test(column.type) ? `${name}::int` : `${name}::text`
}

/** Returns quoted identifiers, separated by commas. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
