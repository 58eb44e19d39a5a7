import { sql, type Selectable } from 'kysely'
import type { LogLevel } from '../../contract/log-entry.ts'
import type { Page } from './batch-exports.ts'
import type { LogsTable, Store } from './database.ts'

export type LogRow = Selectable<LogsTable>

export type LogFilter = {
  /** Both inclusive. */
  after?: Date | undefined
  before?: Date | undefined
  levels?: readonly LogLevel[] | undefined
  /** A part of the message, in any case. */
  search?: string | undefined
}

type LogSource = { batchExportId: string; runId?: string }

const portionSize = 1000

/** Log lines of an export (those of its runs too) or of one run, newest first, and how many there are in all. */
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

/** All of them, oldest first, in portions. */
export async function* logsOldestFirst(
  store: Store,
  of: LogSource,
  filter: LogFilter,
): AsyncGenerator<LogRow[]> {
  const query = matchingLogs(store, of, filter)
    .selectAll()
    .orderBy('timestamp')
    .orderBy('id')
    .limit(portionSize)
  let last: LogRow | undefined
  do {
    const rows = await (
      last ? query.where(sql<boolean>`(timestamp, id) > (${last.timestamp}, ${last.id}::bigint)`) : query
    ).execute()
    if (rows.length > 0) yield rows
    last = rows.length === portionSize ? rows.at(-1) : undefined
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
