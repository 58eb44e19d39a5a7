import { quoteMysql as quote } from '../../../contract/destinations/tables/window-query.ts'
import type { TableColumn } from '../../warehouse/table-rows.ts'
import { windowColumn, type MergeKey } from '../table-store.ts'
import { mysqlType } from './mysql-types.ts'

export function createStatement(
  table: string,
  columns: readonly TableColumn[],
  merge: MergeKey | null,
  collation: string,
): string {
  const fields = [
    ...columns.map(
      (column) => `${quote(column.name)} ${mysqlType(column, merge?.keys.includes(column.name) === true)}`,
    ),
    `${quote(windowColumn)} VARCHAR(255) NOT NULL`,
    ...(merge ? [`UNIQUE (${list(merge.keys)})`] : []),
    `INDEX (${quote(windowColumn)})`,
  ]
  return `CREATE TABLE ${table} (\n  ${fields.join(',\n  ')}\n) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE ${collation};`
}

/**
 * Of staged rows with the same key the newest is merged, unless the table has a newer one; equally new rows belong to the later
 * window. ON DUPLICATE KEY UPDATE would compare with columns that it has already changed.
 */
export function mergeStatements(
  table: string,
  stage: string,
  names: readonly string[],
  { keys, versions }: MergeKey,
): string[] {
  const age = [...versions, windowColumn]
  const of = (alias: string, columns: readonly string[]) =>
    columns.map((name) => `${alias}.${quote(name)}`).join(', ')
  const order = age.map((name) => `${quote(name)} DESC`).join(', ')
  const sameKey = `(${of('there', keys)}) = (${of('staged', keys)})`
  return [
    `DELETE there FROM ${stage} AS staged JOIN ${table} AS there ON ${sameKey}
      WHERE (${of('there', age)}) < (${of('staged', age)})`,
    `INSERT INTO ${table} (${list(names)}) SELECT ${of('staged', names)} FROM (
        SELECT *, row_number() OVER (PARTITION BY ${list(keys)} ORDER BY ${order}) AS _spool_place FROM ${stage}) AS staged
      WHERE _spool_place = 1 AND NOT EXISTS (SELECT 1 FROM ${table} AS there WHERE ${sameKey})`,
  ]
}

/** Selects a value as tab-separated text, in which the engine reads it. */
export function readExpression({ name, type }: TableColumn): string {
  const text = `cast(${quote(name)} AS CHAR)`
  const escapes = [
    ['\\\\', '\\\\\\\\'],
    ['\\t', '\\\\t'],
    ['\\n', '\\\\n'],
    ['\\r', '\\\\r'],
  ]
  const escaped = escapes.reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, text)
  return `coalesce(${type === 'String' ? escaped : text}, '\\\\N')`
}

/** Returns quoted identifiers, separated by commas. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(', ')
}
