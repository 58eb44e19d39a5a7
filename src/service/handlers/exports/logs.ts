import type { LogEntry } from '../../../contract/runs/log-entry.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { pageOfLogs, type LogRow } from '../../store/runs/logs.ts'
import type { ApiRequest } from '../handler.ts'
import { readInstant } from '../read-instant.ts'
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
  const filter = {
    after: readInstant(query.after),
    before: readInstant(query.before),
    levels: query.level,
    search: query.search,
  }
  const { count, rows } = await pageOfLogs(services.store, of, filter, query)
  return { count, ...offsetLinks(link, query, count), results: rows.map(showLogEntry) }
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
