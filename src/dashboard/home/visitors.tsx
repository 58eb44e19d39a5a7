import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { quickFilters } from '../../contract/recordings/quick-filter.ts'
import { secondsBefore } from '../../contract/recordings/recording-facts.ts'
import type { SessionRecording } from '../../contract/recordings/session-recording.ts'
import type { ErrorCluster } from '../../contract/recordings/error-cluster.ts'
import { useAccount } from '../account.ts'
import { count, counted } from '../format/amount.ts'
import { clockTime } from '../format/clock.ts'
import { recordingName } from '../format/recording-name.ts'
import { live } from '../queries/live.ts'
import { asFilter, queryString } from '../queries/recordings/recordings-search.ts'
import { errorsQuery, matchingQuery } from '../queries/recordings/recordings.ts'
import { byDay } from '../recordings/errors/error-list.tsx'
import { ActivityStrip } from '../recordings/facts/activity-strip.tsx'
import { LinkToRecording } from '../recordings/facts/link-to-recording.tsx'
import { VisitorMark } from '../recordings/facts/visitor-mark.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { ListProblem, ListSkeleton } from '../ui/list/list-notes.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { Section } from '../ui/section.tsx'

/** Errors and recordings that are shown. */
const shownMax = 8

/** Fetched again only when the window gets the focus: grouping all errors is costly. */
const onFocus = live(() => 'settled')

/** What happened to visitors: new and growing errors, and recordings worth watching. */
export function Visitors() {
  return (
    <>
      <Errors />
      <WorthWatching />
    </>
  )
}

function Errors() {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery({
    ...errorsQuery(projectId, { state: 'open', order: 'trend', limit: shownMax }),
    ...onFocus,
  })
  return (
    <Section
      title="Errors"
      aside={
        data && (
          <>
            {data.counts.mine > 0 && (
              <>
                <Link to="/recordings/errors" search={{ assignee: 'me' }} className="hover:underline">
                  {count(data.counts.mine)} mine
                </Link>
                {' · '}
              </>
            )}
            <Link to="/recordings/errors" className="hover:underline">
              {count(data.counts.open)} open, new and growing first
            </Link>
          </>
        )
      }
      className="min-w-0"
    >
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data?.results.length === 0 && <p className="text-ink-3">No open errors.</p>}
      <ul>
        {data?.results.map((row) => {
          const trend = trendOf(row)
          return (
            <Row key={row.cluster}>
              <span className="min-w-0 flex-1">
                <Link
                  to="/recordings/errors"
                  search={{ error: row.cluster }}
                  title={row.sample}
                  className="line-clamp-2 wrap-anywhere hover:underline"
                >
                  <code>{row.pattern}</code>
                </Link>
                <span className="block truncate text-xs text-ink-3">
                  {trend && <span className="font-medium text-fail-ink">{trend} · </span>}
                  {counted(row.occurrences, 'time')} in {counted(row.unique_sessions, 'session')}, last{' '}
                  <RelativeTime time={row.newest} />
                </span>
              </span>
              {row.assignee && (
                <span title={`Assigned to ${row.assignee.name}`}>
                  <Avatar name={row.assignee.name} />
                  <span className="sr-only">Assigned to {row.assignee.name}</span>
                </span>
              )}
              <Sparkline values={byDay(row)} />
            </Row>
          )
        })}
      </ul>
    </Section>
  )
}

/** New: first seen within the seven days. Growing: more occurrences today than twice the daily average of the six days before. */
export function trendOf({ sparkline, oldest }: Pick<ErrorCluster, 'sparkline' | 'oldest'>) {
  const [first] = Object.keys(sparkline).sort()
  if (first !== undefined && oldest >= first) return 'New'
  const [today = 0, ...before] = byDay({ sparkline }).toReversed()
  return today > before.reduce((sum, amount) => sum + amount, 0) / 3 ? 'Growing' : null
}

/** Recordings that nobody has watched, those with the most errors first. */
const unwatched = { properties: [quickFilters.unwatched.property] }
const worthWatching = asFilter({ ...unwatched, order: 'console_error_count' })

function WorthWatching() {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery({
    ...matchingQuery(projectId, worthWatching, shownMax),
    ...onFocus,
  })
  return (
    <Section
      title="Worth watching"
      aside={
        data && (
          <Link to="/recordings" search={unwatched} className="hover:underline">
            {data.count_is_estimate && 'about '}
            {count(data.count)} unwatched
          </Link>
        )
      }
      className="min-w-0"
    >
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data?.results.length === 0 && <p className="text-ink-3">All recordings have been watched.</p>}
      <ul>
        {data?.results.map((row, index) => (
          <Recording key={row.id} row={row} index={index} />
        ))}
      </ul>
    </Section>
  )
}

function Recording({ row, index }: { row: SessionRecording; index: number }) {
  const [problem] = row.facts?.problems ?? []
  const place = { list: queryString(worthWatching), row: index }
  return (
    <Row>
      <span className="min-w-0 flex-1">
        <LinkToRecording
          id={row.id}
          place={place}
          t={problem && secondsBefore(problem.at)}
          title={row.distinct_id}
          className="flex items-center gap-1.5 font-medium hover:underline"
        >
          <VisitorMark distinctId={row.distinct_id} />
          <span className="min-w-0 truncate">{recordingName(row)}</span>
        </LinkToRecording>
        <span className="line-clamp-2 text-xs wrap-anywhere text-ink-3" title={problem?.label}>
          <RelativeTime time={row.start_time} /> ·{' '}
          {problem ? `${clockTime(problem.at)} ${problem.label}` : 'no problem'}
        </span>
      </span>
      <span className="w-[156px] shrink-0 max-sm:w-24">
        <ActivityStrip recording={row} />
      </span>
    </Row>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <li className="flex min-h-11 items-center gap-3 border-b border-line py-1">{children}</li>
}
