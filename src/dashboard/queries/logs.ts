import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query'
import type { ResponseOf } from '../../contract/endpoints.ts'
import type { LogEntry, LogLevel } from '../../contract/log-entry.ts'
import { call } from '../api/call.ts'
import { live, paceOf } from '../live/live.ts'

const pageSize = 100

export type LogFilter = { level?: LogLevel[] | undefined; search?: string | undefined }
export type LogSource = { projectId: string; batchExportId: string; runId?: string }

type LogQueryKey = { queryKey: readonly [string, LogSource, LogFilter] }
type LogPage = Pick<ResponseOf<'logsOfRun'>, 'results' | 'next'>

/** Log lines newest first, older ones page by page; the newest page is looked at again often while `following`. */
export function logsQuery(source: LogSource, filter: LogFilter, following: boolean) {
  return infiniteQueryOptions({
    queryKey: [source.runId ? 'logsOfRun' : 'logsOfBatchExport', source, filter] as const,
    queryFn: ({ pageParam, signal }): Promise<LogPage> => readLogs(source, filter, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last: LogPage, pages: LogPage[]) =>
      last.next === null ? null : pages.reduce((rows, page) => rows + page.results.length, 0),
    placeholderData: (previous: InfiniteData<LogPage, number> | undefined, query?: LogQueryKey) =>
      JSON.stringify(query?.queryKey[1]) === JSON.stringify(source) ? previous : undefined,
    // Pages further back would all be read again on every look.
    ...live((lines: InfiniteData<LogPage>) => (lines.pages.length > 1 ? 'settled' : paceOf(following))),
  })
}

function readLogs(
  source: LogSource,
  filter: LogFilter,
  offset: number,
  signal: AbortSignal,
): Promise<LogPage> {
  const { projectId, batchExportId, runId } = source
  const query = { ...filter, limit: pageSize, offset }
  return runId
    ? call(
        'logsOfRun',
        { params: { project_id: projectId, batch_export_id: batchExportId, id: runId }, query },
        { signal },
      )
    : call('logsOfBatchExport', { params: { project_id: projectId, id: batchExportId }, query }, { signal })
}

export function linesOf(data: InfiniteData<LogPage> | undefined): LogEntry[] | undefined {
  return data?.pages.flatMap((page) => page.results)
}
