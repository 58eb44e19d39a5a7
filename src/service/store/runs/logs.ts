import { sql, type Selectable } from 'kysely'
import type { LogLevel } from '../../../contract/runs/log-entry.ts'
import type { Store } from '../schema/database.ts'
import type { LogsTable } from '../schema/export-tables.ts'
import { offsetPage, type Page } from '../schema/rows.ts'

export type LogRow = Selectable<LogsTable>

export type LogFilter = {
  /** Both inclusive. */
  after?: Date | undefined
  before?: Date | undefined
  levels?: readonly LogLevel[] | undefined
  /** Part of the message, case-insensitive. */
  search?: string | undefined
}

type LogSource = { batchExportId: string; runId?: string }

const batchSize = 1000

/** Returns a page of log lines of an export (including its runs) or of one run, newest first, and the total count. */
export function pageOfLogs(store: Store, of: LogSource, filter: LogFilter, page: Page) {
  return offsetPage<LogRow>(store, matchingLogs(of, filter), 'timestamp', page)
}

/** Yields all matching log lines in batches, oldest first. */
export async function* logsOldestFirst(store: Store, of: LogSource, filter: LogFilter) {
  const matching = matchingLogs(of, filter)
  let after = sql``
  for (;;) {
    const { rows } = await sql<LogRow>`
      SELECT * FROM ${matching} ${after} ORDER BY timestamp, id LIMIT ${batchSize}`.execute(store)
    const last = rows.at(-1)
    if (last) yield rows
    if (!last || rows.length < batchSize) return
    after = sql`AND (timestamp, id) > (${last.timestamp}, ${last.id}::bigint)`
  }
}

function matchingLogs({ batchExportId, runId }: LogSource, { after, before, levels, search }: LogFilter) {
  const conditions = [sql`batch_export_id = ${batchExportId}`]
  if (runId) conditions.push(sql`run_id = ${runId}`)
  if (after) conditions.push(sql`timestamp >= ${after}`)
  if (before) conditions.push(sql`timestamp <= ${before}`)
  if (levels && levels.length > 0) conditions.push(sql`level = ANY (${levels}::text[])`)
  if (search) conditions.push(sql`strpos(lower(message), lower(${search})) > 0`)
  return sql`batch_export_logs WHERE ${sql.join(conditions, sql` AND `)}`
}
