import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SimilarSession, WatchedRecording } from '../../../contract/recordings/session-recording.ts'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { useAccount } from '../../account.ts'
import { similarSessionsQuery } from '../../queries/recordings/recording.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListNotes } from '../../ui/list/list-notes.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { PersonLink } from '../facts/person-link.tsx'
import { percent } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { stepInWords } from './step-words.ts'

/** Sessions with a similar path, most similar first. */
export function SimilarTab({ recording }: { recording: WatchedRecording }) {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery(similarSessionsQuery(projectId, recording.id))
  return (
    <ListNotes
      count={data?.results.length}
      error={error}
      onRetry={() => void refetch()}
      loading={<output className="appear-late p-3.5 text-ink-3">Loading similar recordings…</output>}
      empty={
        <EmptyState title="No similar recordings">
          <p>No other recording follows a similar path.</p>
        </EmptyState>
      }
    >
      <ul className="overflow-y-auto">
        {data?.results.map((session) => (
          <Similar key={session.id} session={session} />
        ))}
      </ul>
    </ListNotes>
  )
}

function Similar({ session }: { session: SimilarSession }) {
  const { id, distance, person_name: name, distinct_id: distinctId, shared, parts } = session
  const similarity = 1 - distance
  return (
    <li className="flex flex-col gap-1 border-b border-line px-3.5 py-2.5">
      <div className="flex items-baseline gap-2">
        <Link
          to="/recordings/$id"
          params={{ id }}
          title={distinctId}
          className="min-w-0 truncate font-medium underline-offset-3 hover:underline"
        >
          {visitorName(name, distinctId)}
        </Link>
        <PersonLink id={distinctId} name={visitorName(name, distinctId)} />
        <span className="ml-auto text-xs whitespace-nowrap text-ink-3">
          <RelativeTime time={session.start_time} /> · {clockTime(session.recording_duration * 1000)}
        </span>
      </div>
      <div className="flex items-center gap-2 text-xs text-ink-2">
        <meter aria-label="Similarity" value={similarity} className="h-2 w-24" />
        {percent(similarity)} similar
      </div>
      {shared.length > 0 && <p className="text-ink-2">In both: {shared.map(stepInWords).join(' › ')}</p>}
      {parts && (
        <p className="text-ink-2">
          First difference: here, {stepOrEnd(parts.here)}; there, {stepOrEnd(parts.there)}.
        </p>
      )}
    </li>
  )
}

function stepOrEnd(step: string | null): string {
  return step === null ? 'the recording ended' : stepInWords(step)
}
