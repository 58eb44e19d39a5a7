import { useQuery } from '@tanstack/react-query'
import type { ErrorMoment, StackFrame, ErrorCluster } from '../../../contract/recordings/error-cluster.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { reasonAgainst } from '../../ui/list/list-action.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { MomentLink } from '../facts/moment-link.tsx'
import { PersonLink } from '../facts/person-link.tsx'
import { personIdOf, recordingName } from '../../format/recording-name.ts'
import { secondsBefore } from '../../../contract/recordings/recording-facts.ts'
import { errorActions, type ErrorRow } from './error-actions.ts'
import { ErrorAssignee, useErrorContext } from './error-assignee.tsx'
import { where } from './error-list.tsx'
import { useDeferredValue, useState } from 'react'
import { ThumbnailReplay } from '../thumbnail/thumbnail-replay.tsx'
import { consoleFilter } from '../filter/filter-kinds.ts'
import { withoutDefaults } from '../../queries/recordings/recordings-search.ts'

const { resolve, ignore, reopen } = errorActions

/** Shows an error: replays around it, its message and stack, and the sessions with it. */
export function ErrorSheet({ row, onClose }: { row: ErrorRow; onClose: () => void }) {
  const { projectId, scopes } = useAccount()
  const input = { params: { project_id: projectId }, query: { cluster: row.cluster } }
  const { data, error, refetch } = useQuery(endpointQuery('errorMoments', input))
  const { context } = useErrorContext(onClose)
  const actions = row.state === 'open' ? [resolve, ignore] : [reopen]
  return (
    <Dialog title={row.pattern} kind="sheet" onClose={onClose}>
      <p className="text-ink-2">
        {counted(row.occurrences, 'time')} in {counted(row.unique_sessions, 'session')}
        {row.visitors > 0 && ` of ${counted(row.visitors, 'visitor')}`}, first{' '}
        <RelativeTime time={row.oldest} />, last <RelativeTime time={row.newest} />
      </p>
      <p className="text-ink-3">{where(row)}</p>
      {row.changed && (
        <p className="text-ink-3">
          {row.reopened ? 'Resolved' : stateWords[row.state]} by {row.changed.by}{' '}
          <RelativeTime time={row.changed.at} />
          {row.reopened && '; it has occurred again since'}
        </p>
      )}
      {row.assigned && (
        <p className="text-ink-3">
          {row.assignee ? `Assigned to ${row.assignee.name}` : 'Unassigned'} by {row.assigned.by}{' '}
          <RelativeTime time={row.assigned.at} />
        </p>
      )}
      <div className="my-3 flex flex-wrap gap-2">
        <ErrorAssignee row={row} />
        {actions.map((action) => (
          <Button
            key={action.label}
            reason={reasonAgainst(action, [row], scopes)}
            onClick={() => void action.perform([row], context)}
          >
            {action.label}
          </Button>
        ))}
        <ButtonLink to="/recordings" search={errorFilters(row)}>
          All recordings with this error
        </ButtonLink>
      </div>
      {data && data.moments.length > 0 && <ContactSheet moments={data.moments} />}
      <h3 className="mt-4 mb-1 font-semibold">Newest message</h3>
      <pre className="whitespace-pre-wrap wrap-anywhere">{row.sample}</pre>
      {data?.stack && (
        <>
          <h3 className="mt-4 mb-1 font-semibold">Stack of the newest exception</h3>
          <ErrorStack stack={data.stack} />
        </>
      )}
      <h3 className="mt-4 mb-1 font-semibold">Newest sessions</h3>
      <DataTable
        caption="Sessions with this error"
        columns={columns}
        rows={data?.moments}
        rowKey={({ recording }) => recording.id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No recordings">
            The recordings of these sessions were deleted, have expired, or were never made.
          </EmptyState>
        }
      />
    </Dialog>
  )
}

const stateWords = { open: 'Reopened', resolved: 'Resolved', ignored: 'Ignored' }

const columns: Column<ErrorMoment>[] = [
  {
    header: 'Visitor',
    grows: true,
    cell: ({ recording, at }) => (
      <MomentLink id={recording.id} at={at} className="hover:underline">
        {recordingName(recording)}
      </MomentLink>
    ),
  },
  {
    header: 'Person',
    silent: true,
    cell: ({ recording }) => <PersonLink id={personIdOf(recording)} name={recordingName(recording)} />,
  },
  { header: 'Started', cell: ({ recording }) => <RelativeTime time={recording.start_time} /> },
  { header: 'Error at', end: true, cell: ({ at }) => clockTime(at) },
  {
    header: 'Watched',
    hiddenBelow: 'sm',
    cell: ({ recording: { viewed } }) =>
      viewed === '' ? <span className="text-ink-3">not yet</span> : <RelativeTime time={viewed} />,
  },
]

/** Shows a stack, innermost call first; the frames of libraries are folded. */
function ErrorStack({ stack }: { stack: readonly StackFrame[] }) {
  return (
    <ol className="flex flex-col gap-1 text-xs">
      {groupsOf(stack).map((frames, index) => (
        <li key={index}>
          {frames[0]?.in_app === false ? (
            <details>
              <summary className="cursor-pointer text-ink-3">
                {counted(frames.length, 'frame')} of libraries
              </summary>
              <Frames frames={frames} />
            </details>
          ) : (
            <Frames frames={frames} />
          )}
        </li>
      ))}
    </ol>
  )
}

function Frames({ frames }: { frames: readonly StackFrame[] }) {
  return frames.map((frame, index) => (
    <div key={index} className="py-0.5 wrap-anywhere">
      <code className="font-medium">{frame.function || 'anonymous'}</code>{' '}
      <code className="text-ink-3">{placeOf(frame)}</code>
      {frame.context && (
        <pre className="mt-1 overflow-x-auto rounded-md border border-line bg-sunken p-2">
          {frame.context.before.map((line) => `${line}\n`)}
          <mark className="bg-selected text-ink">{frame.context.source}</mark>
          {frame.context.after.map((line) => `\n${line}`)}
        </pre>
      )}
    </div>
  ))
}

function placeOf({ file, line, column }: StackFrame): string {
  return [file, line, column].filter((part) => part !== null && part !== '').join(':')
}

/** Groups adjacent frames of the site, or of libraries. */
function groupsOf(stack: readonly StackFrame[]): StackFrame[][] {
  const groups: StackFrame[][] = []
  for (const frame of stack) {
    const last = groups.at(-1)
    if (last?.[0]?.in_app === frame.in_app) last.push(frame)
    else groups.push([frame])
  }
  return groups
}

const replaysMax = 9
/** Seconds before and after the error. */
const range = 5

/** Shows the page at the moment of an error in several recordings; one slider moves them all. */
function ContactSheet({ moments }: { moments: readonly ErrorMoment[] }) {
  const [offset, setOffset] = useState(0)
  const shown = useDeferredValue(offset)
  return (
    <section aria-label="Replays around the error">
      <label className="mb-2 flex items-center gap-3">
        <span className="text-ink-2 max-sm:sr-only">Moment</span>
        <input
          type="range"
          min={-range}
          max={range}
          step={0.5}
          value={offset}
          aria-valuetext={inWords(offset)}
          onChange={({ target }) => setOffset(target.valueAsNumber)}
          className="min-w-0 flex-1"
        />
        <output className="w-28 text-right text-ink-2 tabular-nums">{inWords(offset)}</output>
      </label>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {moments.slice(0, replaysMax).map((moment) => (
          <Replay key={moment.recording.id} moment={moment} offset={shown} />
        ))}
      </ul>
    </section>
  )
}

function Replay({ moment: { recording, at }, offset }: { moment: ErrorMoment; offset: number }) {
  const end = recording.recording_duration * 1000
  const name = recordingName(recording)
  const label = `Watch ${name} before the error, from ${clockTime(secondsBefore(at) * 1000)}`
  return (
    // Narrow windows show four: a hidden replay has no frame.
    <li className="max-sm:nth-[n+5]:hidden">
      <MomentLink id={recording.id} at={at} aria-label={label} className="block">
        <span className="block aspect-[8/5] overflow-hidden rounded-md border border-line">
          <ThumbnailReplay recording={recording} at={Math.min(Math.max(0, at + offset * 1000), end)} />
        </span>
      </MomentLink>
      <span className="mt-0.5 flex items-baseline gap-1.5 text-xs text-ink-2">
        <span className="truncate">{name}</span> <span className="text-ink-3">{clockTime(at)}</span>
        <span className="ml-auto">
          <PersonLink id={personIdOf(recording)} name={name} />
        </span>
      </span>
    </li>
  )
}

function inWords(offset: number): string {
  if (offset === 0) return 'at the error'
  return `${Math.abs(offset)} s ${offset < 0 ? 'before' : 'after'}`
}

/** Placeholders for the variable parts of a pattern. */
const placeholder = /…|<(?:host|email|value)>/

/** Returns the list filters that match recordings with an error: the longest text that all its messages share. */
export function errorFilters({ pattern, sample }: Pick<ErrorCluster, 'pattern' | 'sample'>) {
  const parts = pattern.split(placeholder).map((part) => part.trim())
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one), '')
  return withoutDefaults({ console_log_filters: [consoleFilter('message', longest || sample)] })
}
