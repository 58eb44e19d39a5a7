import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LogEntry, LogLevel } from '../../../contract/runs/log-entry.ts'
import { usePreferences } from '../../format/preferences.ts'
import {
  joinLines,
  logsQuery,
  newLogsQuery,
  type LogFilter,
  type LogSource,
} from '../../queries/exports/logs.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { counted } from '../../format/amount.ts'
import { exactTime, logTime } from '../../format/time.ts'

type LogViewProps = {
  log: ReturnType<typeof useLogLines>
  /** Whether each line leads to its run. */
  toRun?: boolean
  emptyText: string
}

/** Shows log lines, newest first: new ones as they are written, older ones on demand. */
export function LogView({ log, toRun = false, emptyText }: LogViewProps) {
  const { lines, left, error, refetch, older } = log
  if (error && !lines) return <ProblemNote error={error} onRetry={refetch} />
  if (!lines) return <output className="appear-late text-ink-3">Reading the logs…</output>
  if (lines.length === 0) return <EmptyState title={emptyText} />
  return (
    <>
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {left > 0 && <Button onClick={refetch}>Load {counted(left, 'more new line')}</Button>}
      <ol aria-label="Log lines, newest first" className="rounded-md border border-line bg-raised">
        {lines.map((line, index) => (
          <Line key={`${line.timestamp} ${lines.length - index}`} line={line} toRun={toRun} />
        ))}
      </ol>
      {older && (
        <span className="print:hidden">
          <Button busy={older.isBusy} onClick={older.load}>
            Load older lines
          </Button>
        </span>
      )}
    </>
  )
}

/**
 * Returns the log lines of an export or a run, kept up to date. `following`: how new lines are fetched, by frequent polling,
 * when the export changes, or never.
 */
export function useLogLines(source: LogSource, filter: LogFilter, following: 'often' | 'seldom' | 'never') {
  const known = useInfiniteQuery(logsQuery(source, filter))
  const settled = known.isPlaceholderData ? undefined : known.data
  const fresh = useQuery({
    ...newLogsQuery(source, filter, settled, following === 'often'),
    ...(following === 'never' && { enabled: false }),
  })
  const joined = joinLines(known.data, fresh.data)
  return {
    lines: joined?.lines,
    left: joined?.left ?? 0,
    error: known.error ?? fresh.error,
    refetch: () => void known.refetch(),
    older: known.hasNextPage && { isBusy: known.isFetchingNextPage, load: () => void known.fetchNextPage() },
  }
}

const levelInk: Record<LogLevel, string> = {
  DEBUG: 'text-ink-3',
  INFO: 'text-ink-2',
  WARNING: 'text-short-ink',
  ERROR: 'text-fail-ink',
}

function Line({ line, toRun }: { line: LogEntry; toRun: boolean }) {
  const { zone } = usePreferences()
  const time = Date.parse(line.timestamp)
  const { instance_id: runId, level, message } = line
  return (
    <li className="mono flex flex-wrap gap-x-3 border-line px-3 py-1 not-first:border-t">
      <time dateTime={line.timestamp} title={exactTime(time, zone)} className="text-ink-3">
        {logTime(time, zone)}
      </time>
      <span className={`w-14 ${levelInk[level]}`}>{level}</span>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere whitespace-pre-wrap">{message}</span>
      {toRun && runId !== '' && (
        <Link
          to="/runs/$runId"
          params={{ runId }}
          aria-label={`Run ${runId}`}
          className="text-ink-3 underline underline-offset-2 hover:text-ink print:hidden"
        >
          run
        </Link>
      )}
    </li>
  )
}
