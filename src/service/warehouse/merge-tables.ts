import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'

/** Tables that filters of recordings and similar recordings read, except events. */
const mergedTables = [
  'console_entries',
  'event_properties',
  'property_values',
  'session_entries',
  'session_events',
  'session_failed_requests',
  'session_paths',
  'session_properties',
  'session_steps',
  'session_texts',
]
/** Age (ms) of a table's largest part from which it is merged again; less than a day, as nightly deletions renew parts. */
const ageMin = 20 * 3_600_000
/** Size (bytes) of a table up to which it is merged, in about 10 s. */
const mergedBytesMax = 1_000_000_000

/**
 * Merges each table whose largest part is old into one part, so that a table is rewritten at most once a day. A filter reads a few
 * rows of each part, and the engine itself keeps up to ten, however long nothing is written.
 * @param now ms since the epoch
 * @param options aborting `signal` ends the merge; `bytesMax`: size (bytes) of a table up to which it is merged
 * @throws the first error, after the other tables
 */
export async function mergeTables(
  warehouse: Warehouse,
  now: number,
  { signal, bytesMax = mergedBytesMax }: { signal?: AbortSignal; bytesMax?: number } = {},
): Promise<void> {
  const parted = await warehouse.query<{ table: string }>(
    `SELECT table FROM system.parts WHERE database = currentDatabase() AND active AND table IN {tables: Array(String)}
    GROUP BY table HAVING count() > 1 AND sum(bytes_on_disk) <= {bytesMax: Int64}
      AND toUnixTimestamp(argMax(modification_time, bytes_on_disk)) * 1000 <= {until: Int64}`,
    { params: { tables: mergedTables, bytesMax, until: now - ageMin } },
  )
  const errors: unknown[] = []
  for (const { table } of parted)
    if (!signal?.aborted)
      await mergeTable(warehouse, table, signal).catch((error: unknown) => errors.push(error))
  if (errors.length > 0 && !signal?.aborted) throw errors[0]
}

async function mergeTable(warehouse: Warehouse, table: string, signal?: AbortSignal): Promise<void> {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const stop = () => {
    // The embedded engine ends with this process. A server goes on alone.
    if (warehouse.embedded) warehouse.command(`SYSTEM STOP MERGES ${table}`).catch(() => leave())
    else leave()
  }
  signal?.addEventListener('abort', stop)
  // Another worker may have merged the table meanwhile.
  const settings = { optimize_skip_merged_partitions: 1 }
  const merged = warehouse.command(`OPTIMIZE TABLE ${table} FINAL`, { lane: 'export', settings })
  await Promise.race([merged, left]).finally(() => signal?.removeEventListener('abort', stop))
}
