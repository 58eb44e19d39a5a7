import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'

/** Tables that filters of recordings read. */
const filteredTables = [
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
const dayMs = 86_400_000
/** Size (bytes) of a table up to which it is merged, in about 10 s; a service that is stopped meanwhile waits for that. */
const mergedBytesMax = 1_000_000_000

/**
 * Merges each table whose largest part is a day old into one part, so that a table is rewritten at most once a day. A filter
 * reads a few rows of each part, and the engine itself keeps up to ten, however long nothing is written.
 * `now`: ms since the epoch.
 */
export async function mergeTables(
  warehouse: Warehouse,
  now: number,
  bytesMax = mergedBytesMax,
): Promise<void> {
  const parted = await warehouse.query<{ table: string }>(
    `SELECT table FROM system.parts WHERE database = currentDatabase() AND active AND table IN {tables: Array(String)}
    GROUP BY table HAVING count() > 1 AND sum(bytes_on_disk) <= {bytesMax: Int64}
      AND toUnixTimestamp(argMax(modification_time, bytes_on_disk)) * 1000 <= {until: Int64}`,
    { params: { tables: filteredTables, bytesMax, until: now - dayMs } },
  )
  for (const { table } of parted) await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`, { lane: 'export' })
}
