import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ErrorMoment } from '../../../contract/recordings/error-cluster.ts'
import { useAccount } from '../../account.ts'
import { errorMomentsQuery } from '../../queries/recordings/recordings.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { possibleFor } from '../../ui/list/list-action.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { PersonLink } from '../visit/person-link.tsx'
import { personIdOf, recordingName } from '../../format/recording-name.ts'
import { errorFilters } from './error-filters.ts'
import { secondsBefore } from '../../../contract/recordings/visit.ts'
import { ContactSheet } from './contact-sheet.tsx'
import { errorActions, type ErrorRow } from './error-actions.ts'
import { visitors, where } from './error-list.tsx'
import { ErrorStack } from './error-stack.tsx'

type ErrorSheetProps = { row: ErrorRow; onClose: () => void }

const { resolve, ignore, reopen } = errorActions

/** Shows an error: replays around it, its message and stack, and the sessions with it. */
export function ErrorSheet({ row, onClose }: ErrorSheetProps) {
  const { projectId, scopes } = useAccount()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(errorMomentsQuery(projectId, row.cluster))
  const context = { client, projectId, open: onClose }
  const known = visitors(row)
  const actions = row.state === 'open' ? [resolve, ignore] : [reopen]
  return (
    <Dialog title={row.pattern} kind="sheet" onClose={onClose}>
      <p className="text-ink-2">
        {counted(row.occurrences, 'time')} in {counted(row.unique_sessions, 'session')}
        {known !== null && ` of ${known} ${row.visitors === 1 ? 'visitor' : 'visitors'}`}, first{' '}
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
      <div className="my-3 flex flex-wrap gap-2">
        {actions.map((action) => (
          <Button
            key={action.label}
            reason={possibleFor(action, [row], scopes).reason}
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
            <p>The recordings of these sessions were deleted, have expired, or were never made.</p>
          </EmptyState>
        }
        filteredEmpty={null}
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
      <Link
        to="/recordings/$id"
        params={{ id: recording.id }}
        search={{ t: secondsBefore(at) }}
        className="hover:underline"
      >
        {recordingName(recording)}
      </Link>
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
