import { windowKey } from '../../../contract/destinations/tables/window-query.ts'
import { pinEndpoint } from '../../destinations/destination-check.ts'
import type { TableDestination } from '../../destinations/destination-driver.ts'
import { readOptions } from '../../destinations/file-content.ts'
import type { MergeKey } from '../../destinations/table-store.ts'
import { counted, receivedBytes } from '../../destinations/uploads/received-bytes.ts'
import { ExportError } from '../../problems/export-error.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import type { Store } from '../../store/schema/database.ts'
import { findRow } from '../../store/schema/rows.ts'
import type { LedgerRow, VerifiedWindow } from '../../store/windows/ledger.ts'
import type { Services } from '../../services.ts'
import { countRows, type RunRows } from '../../warehouse/run-rows.ts'
import { tableColumns, type ValuedColumn } from '../../warehouse/table-rows.ts'
import { changedColumns } from '../tables/changed-columns.ts'
import { mergeKeyOf } from '../write-table.ts'
import { readStructure, sumOfTable } from './table-hash.ts'

/** Bytes of a table's text beyond those that were sent, which may be written differently; and of a row whose size is unknown. */
const [otherBytes, rowBytesMax] = [64 * 1024 ** 2, 64 * 1024]

type Written = {
  destination: TableDestination
  source: BatchExportRow
  window: LedgerRow
  taken: RunRows
  /** Identifies the statements in ClickHouse. */
  mark: string
}

type Found = Pick<
  VerifiedWindow,
  'objects_found' | 'rows_source' | 'hash_expected' | 'rows_read' | 'hash_read'
>

/**
 * Reads a window back from its table, and compares it with the rows of the source over all columns that the table has. Both
 * sides are hashed by the engine with one expression; what the destination has recorded about itself does not count.
 */
export async function verifyTable(
  services: Pick<Services, 'config' | 'store' | 'warehouse' | 'secrets' | 'hosts' | 'exportsFolder'>,
  { destination, source, window, taken, mark }: Written,
  signal: AbortSignal,
): Promise<Found> {
  const { warehouse, config } = services
  const rows = changedColumns(services.secrets, source, taken)
  const options = (params: RunRows['params']) => {
    const read = readOptions(config, params, mark)
    return { ...read, settings: { ...read.settings, max_execution_time: 1200 } }
  }
  const release = await pinEndpoint(services, destination.url())
  const store = await destination.openTable(services, signal).catch((error: unknown) => {
    release()
    throw error
  })
  try {
    const columns = (await tableColumns(warehouse, rows)).map((column) => destination.text.adapt(column))
    const {
      columns: there,
      exists,
      hasWindows,
      table,
    } = await store.plan(columns, mergeKeyOf(source, columns))
    const hashed = columns.filter((_, index) => there[index]?.typeThere !== null)
    const select = hashed.map(({ value }, index) => `${value} AS c${index}`).join(', ')
    const selected = `(SELECT ${select} FROM ${rows.from})`
    const sum = async (from: string) => {
      const [sums] = await warehouse.query<{ rows: number; hash: string }>(
        sumOfTable(hashed, from),
        options(rows.params),
      )
      return { rows: Number(sums?.rows ?? 0), hash: sums?.hash ?? '' }
    }
    if (!hasWindows)
      throw new ExportError(
        `The table ${table} has no column "_spool_window", so its windows cannot be told apart and read back: add the column as text.`,
        true,
      )
    if (!exists) {
      const expected = await sum(selected)
      return {
        objects_found: 'gone',
        rows_source: expected.rows,
        hash_expected: expected.hash,
        rows_read: null,
        hash_read: null,
      }
    }
    const merge = mergeKeyOf(source, hashed)
    const count = receivedBytes(
      warehouse.embedded ? config.dataDirectory : null,
      4 * (await sentBytes(services.store, window)) + otherBytes,
    )
    const key = windowKey(source.id, window.data_interval_start)
    return await warehouse.received(
      readStructure(hashed),
      (write) => store.read({ key }, hashed, (chunks) => write(counted(chunks, count))),
      async (from) => {
        const found = await sum(from)
        const expected = await sum(merge ? unmoved(selected, from, hashed, merge) : selected)
        const rows_source = merge
          ? await countRows(warehouse, rows.from, options(rows.params))
          : expected.rows
        // Rows that a later window has replaced since are in the table, with another window.
        const moved = rows_source - expected.rows
        return {
          objects_found: 'intact',
          rows_source,
          hash_expected: expected.hash,
          rows_read: found.rows + moved,
          hash_read: found.hash,
        }
      },
    )
  } finally {
    await store.close()
    release()
  }
}

/** Returns the bytes that the run sent; a high estimate if they were not recorded. */
async function sentBytes(store: Store, { run_id, rows_written }: LedgerRow): Promise<number> {
  const run = await findRow(store, 'batch_export_runs', { id: run_id })
  return run?.bytes_exported ?? rows_written * rowBytesMax
}

/**
 * Selects the rows that must be in a table with one row per key: those that are the newest of the source, and those found there.
 * A later window may have replaced the others.
 */
function unmoved(
  selected: string,
  found: string,
  columns: readonly ValuedColumn[],
  { keys, versions }: MergeKey,
): string {
  const at = (name: string) => `c${columns.findIndex((column) => column.name === name)}`
  const row = [...keys, ...versions].map(at).join(', ')
  // As in the database, ids are compared as text; an equally new row belongs to the later window.
  const age = (name: (column: string) => string, isLater: string) =>
    `(${name('person_distinct_id_version')}, ${name('person_version')}, toString(${name('person_id')}), ${isLater})`
  const newest = `SELECT distinct_id, max(${age((column) => column, "inserted_at >= fromUnixTimestamp64Milli({interval_end: Int64}, 'UTC')")}) AS newest
    FROM persons WHERE team_id = {team_id: Int64} AND distinct_id IN (SELECT ${at('distinct_id')} FROM ${selected}) GROUP BY distinct_id`
  return `(SELECT * FROM ${selected} AS taken LEFT JOIN (${newest}) AS latest ON taken.${at('distinct_id')} = latest.distinct_id
    WHERE newest <= ${age(at, '0')} OR (${row}) IN (SELECT ${row} FROM ${found}))`
}
