import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import type { LogEntry, LogLevel } from '../../../contract/runs/log-entry.ts'
import { call, callForBytes } from '../../api/call.ts'
import { saveFile } from '../../ui/save-file.ts'
import { live } from '../live.ts'
import { cursorOf } from '../../ui/list/pager.tsx'

const pageSize = 100
/** Maximum number of new lines fetched at once; of any others, only the number is shown. */
const newLinesMax = 500

export type LogFilter = { level?: LogLevel[] | undefined; search?: string | undefined }
export type LogSource = { projectId: string; batchExportId: string; runId?: string }

type LogQueryKey = { queryKey: readonly [string, LogSource, LogFilter] }
type LogPage = Pick<ResponseOf<'logsOfRun'>, 'results' | 'next' | 'count'>
type Bounds = {
  after?: string
  before?: string
  cursor?: string | undefined
  limit: number
  offset: number
}

const firstPage: Bounds = { limit: pageSize, offset: 0 }

/** Log lines, newest first, older ones page by page. Lines written later are not included: see `newLogsQuery`. */
export function logsQuery(source: LogSource, filter: LogFilter) {
  return infiniteQueryOptions({
    // Not named after an endpoint, so that no invalidation fetches known lines again.
    queryKey: ['knownLogs', source, filter] as const,
    queryFn: ({ pageParam, signal }) => readLogs(source, filter, pageParam, signal),
    initialPageParam: firstPage,
    // `before` keeps lines written in the meantime from shifting the next page.
    getNextPageParam: (last: LogPage, pages: LogPage[]): Bounds | null => {
      const newest = pages[0]?.results[0]
      const offset = pages.reduce((lines, page) => lines + page.results.length, 0)
      if (last.next === null || !newest) return null
      return { limit: pageSize, offset, before: newest.timestamp, cursor: cursorOf(last.next) }
    },
    placeholderData: (previous: InfiniteData<LogPage, Bounds> | undefined, query?: LogQueryKey) =>
      JSON.stringify(query?.queryKey[1]) === JSON.stringify(source) ? previous : undefined,
    staleTime: Infinity,
  })
}

/** Lines since the newest of `known`, inclusive; polled often while `following`, else fetched when the export changes. */
export function newLogsQuery(
  source: LogSource,
  filter: LogFilter,
  known: InfiniteData<LogPage> | undefined,
  following: boolean,
) {
  const { runId } = source
  const newest = known?.pages[0]?.results[0]?.timestamp
  const same = [runId ? 'logsOfRun' : 'logsOfBatchExport', source, filter]
  return queryOptions<LogPage>({
    queryKey: [...same, newest ?? '', following],
    queryFn: ({ signal }) =>
      readLogs(source, filter, { ...(newest && { after: newest }), limit: newLinesMax, offset: 0 }, signal),
    enabled: known !== undefined,
    placeholderData: (previous, query) =>
      JSON.stringify(query?.queryKey.slice(0, same.length)) === JSON.stringify(same) ? previous : undefined,
    ...live(() => (following ? 'running' : 'settled')),
  })
}

function readLogs(
  { projectId, batchExportId, runId }: LogSource,
  filter: LogFilter,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<LogPage> {
  const query = { ...filter, ...bounds }
  const project = { project_id: projectId }
  return runId
    ? call(
        'logsOfRun',
        { params: { ...project, batch_export_id: batchExportId, id: runId }, query },
        { signal },
      )
    : call('logsOfBatchExport', { params: { ...project, id: batchExportId }, query }, { signal })
}

/** Returns all lines, newest first, without duplicates; `left` is the number of new lines not fetched. */
export function joinLines(
  known: InfiniteData<LogPage> | undefined,
  fresh: LogPage | undefined,
): { lines: LogEntry[]; left: number } | undefined {
  if (!known) return undefined
  const older = known.pages.flatMap((page) => page.results)
  const newest = older[0]?.timestamp ?? ''
  const atNewest = new Set(older.filter(({ timestamp }) => timestamp === newest).map(identity))
  const newer = (fresh?.results ?? []).filter(
    (line) => line.timestamp >= newest && !(line.timestamp === newest && atNewest.has(identity(line))),
  )
  return { lines: [...newer, ...older], left: fresh ? fresh.count - fresh.results.length : 0 }
}

function identity({ instance_id: run, message }: LogEntry): string {
  return `${run} ${message}`
}

/** Saves all lines that match as a text file, oldest first; `name` is the export's. */
export async function downloadLogs({ projectId, batchExportId }: LogSource, filter: LogFilter, name: string) {
  const params = { project_id: projectId, id: batchExportId }
  const bytes = await callForBytes('downloadLogs', { params, query: filter })
  saveFile(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.log`, new Blob([bytes], { type: 'text/plain' }))
}
