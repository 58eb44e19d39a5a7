import { sql, type Selectable } from 'kysely'
import type { LogLevel } from '../../../contract/runs/log-entry.ts'
import type { Page } from './batch-exports.ts'
import type { Store } from '../schema/database.ts'
import type { LogsTable } from '../schema/export-tables.ts'

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
export async function pageOfLogs(
  store: Store,
  of: LogSource,
  filter: LogFilter,
  page: Page,
): Promise<{ count: number; rows: LogRow[] }> {
  const query = matchingLogs(store, of, filter)
  const [rows, total] = await Promise.all([
    query
      .selectAll()
      .orderBy('timestamp', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    query.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { count: total.count, rows }
}

/** Yields all matching log lines in batches, oldest first. */
export async function* logsOldestFirst(
  store: Store,
  of: LogSource,
  filter: LogFilter,
): AsyncGenerator<LogRow[]> {
  const query = matchingLogs(store, of, filter)
    .selectAll()
    .orderBy('timestamp')
    .orderBy('id')
    .limit(batchSize)
  let last: LogRow | undefined
  do {
    const rows = await (
      last ? query.where(sql<boolean>`(timestamp, id) > (${last.timestamp}, ${last.id}::bigint)`) : query
    ).execute()
    if (rows.length > 0) yield rows
    last = rows.length === batchSize ? rows.at(-1) : undefined
  } while (last)
}

function matchingLogs(store: Store, of: LogSource, filter: LogFilter) {
  const { after, before, levels, search } = filter
  let query = store.selectFrom('batch_export_logs').where('batch_export_id', '=', of.batchExportId)
  if (of.runId) query = query.where('run_id', '=', of.runId)
  if (after) query = query.where('timestamp', '>=', after)
  if (before) query = query.where('timestamp', '<=', before)
  if (levels && levels.length > 0) query = query.where('level', 'in', levels)
  if (search) query = query.where(sql<boolean>`strpos(lower(message), lower(${search})) > 0`)
  return query
}
