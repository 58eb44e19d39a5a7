import { Readable } from 'node:stream'
import type { QueryOf } from '../../../contract/endpoints.ts'
import type { LogEntry } from '../../../contract/runs/log-entry.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { logsOldestFirst, pageOfLogs, type LogRow } from '../../store/runs/logs.ts'
import type { ApiRequest, Handler } from '../handler.ts'
import { positionOf, showOffsetPage } from '../cursor-page.ts'
import { readInstant } from '../given-times.ts'
import { showBatchExport } from './show-batch-export.ts'
import { showRun } from '../runs/show-run.ts'

type ExportRequest = Pick<
  ApiRequest<'logsOfBatchExport'>,
  'services' | 'caller' | 'batchExport' | 'query' | 'link'
>

/** Returns the export with the log entries about it and its runs. */
export async function logsOfBatchExport(request: ExportRequest) {
  const { batchExport } = request
  const page = await logPage(request, { batchExportId: batchExport.id })
  return { ...(await showBatchExport(request, batchExport)), ...page }
}

/** Returns the run with the log entries about it. */
export async function logsOfRun(request: ApiRequest<'logsOfRun'>) {
  const { batchExport, run } = request
  return { ...showRun(run), ...(await logPage(request, { batchExportId: batchExport.id, runId: run.id })) }
}

async function logPage(
  { services, query, link }: Pick<ExportRequest, 'services' | 'query' | 'link'>,
  of: { batchExportId: string; runId?: string },
) {
  const position = positionOf(query, 'number')
  const page = await pageOfLogs(services.store, of, filterOf(query), { ...query, position })
  return showOffsetPage(page, { link, query }, showLogEntry)
}

function filterOf({ after, before, level: levels, search }: QueryOf<'downloadLogs'>) {
  return { after: readInstant(after), before: readInstant(before), levels, search }
}

function showLogEntry(row: LogRow): LogEntry {
  return {
    log_source_id: row.batch_export_id,
    instance_id: row.run_id ?? '',
    timestamp: formatInstant(row.timestamp),
    level: row.level,
    message: row.message,
  }
}

/** Streams lines of `timestamp level run message`, in batches so that memory does not grow with the log. */
export const downloadLogs: Handler<'downloadLogs'> = async ({ services, batchExport, query }) =>
  Readable.from(textOf(logsOldestFirst(services.store, { batchExportId: batchExport.id }, filterOf(query))))

async function* textOf(batches: AsyncIterable<LogRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map(lineOf).join('')
}

function lineOf({ timestamp, level, run_id, message }: LogRow): string {
  return `${formatInstant(timestamp)} ${level} ${run_id ?? '-'} ${message.replaceAll(/[\r\n]+/g, ' ')}\n`
}
