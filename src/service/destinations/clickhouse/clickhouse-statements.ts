import { quoteClickhouse as quote } from '../../../contract/destinations/tables/window-query.ts'
import type { TableColumn } from '../../warehouse/table-rows.ts'
import { windowColumn, type MergeKey } from '../table-store.ts'
import { clickhouseType } from './clickhouse-types.ts'

/**
 * The version of a person's row as one number: its versions, then the first half of the person's id, then the window's start, so
 * that equally new rows belong to the later window.
 */
const personVersion = [
  'bitShiftLeft(toUInt256(person_distinct_id_version), 192)',
  'bitShiftLeft(toUInt256(person_version), 128)',
  'bitShiftLeft(toUInt256(bitShiftRight(toUInt128(person_id), 64)), 64)',
  `toUInt256(toUnixTimestamp64Milli(parseDateTime64BestEffortOrZero(substring(${windowColumn}, 38), 3, 'UTC')))`,
].join(' + ')

export function createStatement(
  table: string,
  columns: readonly TableColumn[],
  merge: MergeKey | null,
): string {
  const names = new Set(columns.filter(({ isNullable }) => !isNullable).map(({ name }) => name))
  const isPersons = merge !== null && [...merge.keys, ...merge.versions].every((name) => names.has(name))
  const fields = [
    ...columns.map((column) => `${quote(column.name)} ${clickhouseType(column)}`),
    `${quote(windowColumn)} String`,
    ...(isPersons
      ? [
          `_spool_version UInt256 MATERIALIZED ${personVersion}`,
          `INDEX _spool_window_index ${windowColumn} TYPE bloom_filter`,
        ]
      : []),
    ...(names.has('timestamp') ? ['INDEX _spool_time_index timestamp TYPE minmax'] : []),
  ]
  const engine = isPersons
    ? 'ReplacingMergeTree(_spool_version) ORDER BY (team_id, distinct_id)'
    : `MergeTree ORDER BY ${windowColumn}`
  return `CREATE TABLE ${table} (\n  ${fields.join(',\n  ')}\n) ENGINE = ${engine};`
}

/**
 * Returns the engine of a stage: with the keys of its table, so that parts can be attached, but MergeTree without TTL. Others may
 * drop rows, which are counted.
 */
export function stageEngine(engine: string): string {
  const clauses = engine.replace(/^\w+(\(.*?\))? (?=PARTITION BY |PRIMARY KEY |ORDER BY )/s, '')
  return `MergeTree ${clauses.replace(/ TTL .*?(?= SETTINGS |$)/s, '')}`
}
