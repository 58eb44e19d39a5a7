import { useInfiniteQuery } from '@tanstack/react-query'
import type { LogEntry, LogLevel } from '../../contract/log-entry.ts'
import { usePreferences } from '../preferences.ts'
import { linesOf, logsQuery, type LogFilter, type LogSource } from '../queries/logs.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { exactTime, logTime } from '../words/time.ts'

type LogViewProps = {
  source: LogSource
  filter: LogFilter
  /** Whether more lines are to be expected soon. */
  live: boolean
  emptyText: string
}

/** Log lines, newest first; older ones on demand. */
export function LogView({ source, filter, live, emptyText }: LogViewProps) {
  const logs = useInfiniteQuery(logsQuery(source, filter, live))
  const lines = linesOf(logs.data)
  if (logs.error && !lines) return <ProblemNote error={logs.error} onRetry={() => void logs.refetch()} />
  if (!lines) return <output className="appear-late text-ink-3">Reading the logs…</output>
  if (lines.length === 0) return <EmptyState title={emptyText} />
  return (
    <>
      {logs.error && <ProblemNote error={logs.error} onRetry={() => void logs.refetch()} />}
      <ol className="rounded-md border border-line bg-raised">
        {lines.map((line, index) => (
          <Line key={`${line.timestamp} ${lines.length - index}`} line={line} />
        ))}
      </ol>
      {logs.hasNextPage && (
        <Button busy={logs.isFetchingNextPage} onClick={() => void logs.fetchNextPage()}>
          Load older lines
        </Button>
      )}
    </>
  )
}

const levelInk: Record<LogLevel, string> = {
  DEBUG: 'text-ink-3',
  INFO: 'text-ink-2',
  WARNING: 'text-short-ink',
  ERROR: 'text-fail-ink',
}

function Line({ line }: { line: LogEntry }) {
  const { zone } = usePreferences()
  const time = Date.parse(line.timestamp)
  return (
    <li className="mono flex flex-wrap gap-x-3 border-line px-3 py-1 not-first:border-t">
      <time dateTime={line.timestamp} title={exactTime(time, zone)} className="text-ink-3">
        {logTime(time, zone)}
      </time>
      <span className={`w-14 ${levelInk[line.level]}`}>{line.level}</span>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere whitespace-pre-wrap">{line.message}</span>
    </li>
  )
}
