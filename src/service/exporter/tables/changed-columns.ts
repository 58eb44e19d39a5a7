import {
  ColumnChanges,
  columnChangeProblem,
  targetOf,
} from '../../../contract/destinations/tables/column-changes.ts'
import type { SecretBox } from '../../engines/secret-box.ts'
import { ExportError } from '../../problems/export-error.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import type { ExportedColumn, ExportSource, RunRows } from '../../warehouse/run-rows.ts'

/** Returns the changes that an export's destination makes to its columns. */
export function columnChangesOf({ destination_config: config }: Pick<BatchExportRow, 'destination_config'>) {
  return ColumnChanges.nullable().optional().parse(config['columns']) ?? []
}

/**
 * Returns a run's rows with the columns that its table receives: without those that are left out, under their new names, hashed.
 * @throws ExportError when the columns cannot be changed so, for example because the query no longer has one of them.
 */
export function changedColumns(secrets: SecretBox, source: ExportSource, rows: RunRows): RunRows {
  const changes = columnChangesOf(source)
  if (changes.length === 0) return rows
  const names = rows.columns.map(({ name }) => name)
  const problem = columnChangeProblem(changes, names, source.model)
  if (problem !== null) throw new ExportError(`The changed columns do not fit: ${problem}`, true)
  const columns = rows.columns.flatMap((column) => {
    const change = changes.find(({ name }) => name === column.name)
    const name = change ? targetOf(change) : column.name
    return name === null ? [] : [{ ...(change?.hash ? hashed(column) : column), name }]
  })
  const isHashing = changes.some(({ hash }) => hash)
  const params = isHashing ? { ...rows.params, ...hashPads(secrets, source.project_id) } : rows.params
  return { ...rows, columns, params }
}

/** Selects HMAC-SHA-256 (RFC 2104) of a value's text, as hexadecimal digits; NULL of NULL. ClickHouse has no such function. */
function hashed({ name, expression }: ExportedColumn): ExportedColumn {
  const inner = `SHA256(concat(unhex({hash_inner: String}), toString(${expression})))`
  const value = `lower(hex(SHA256(concat(unhex({hash_outer: String}), ${inner}))))`
  return { name, expression: value, kind: 'value' }
}

const blockBytes = 64

/**
 * Returns the project's key for hashes, combined with the two pads of HMAC, as parameters of statements. A key is derived, never
 * stored, and so changes with SPOOL_SECRET_KEY.
 */
export function hashPads(secrets: SecretBox, projectId: number) {
  const key = Buffer.alloc(blockBytes)
  key.set(Buffer.from(secrets.token(`key of hashed columns of project ${projectId}`), 'base64url'))
  const padded = (pad: number) => Buffer.from(key.map((byte) => byte ^ pad)).toString('hex')
  return { hash_inner: padded(0x36), hash_outer: padded(0x5c) }
}
