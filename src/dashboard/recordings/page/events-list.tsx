import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccount } from '../../account.ts'
import { recordingEventsQuery } from '../../queries/recordings/recording.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import { clockTime } from '../../format/clock.ts'
import { usePlayer } from '../player/player.ts'
import { inspectorRows, selectRows, type InspectorRow } from '../moments/inspector-rows.ts'
import { rowFilters, type InspectorProps } from '../moments/inspector-params.ts'
import { ChoiceChips, SearchableMoments } from '../moments/moment-list.tsx'

/** The events of a recording. */
export function EventsList({ recording, player, filter, onFilter }: InspectorProps) {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery(recordingEventsQuery(projectId, recording.id))
  const marks = usePlayer(player, (state) => state.marks)
  const all = useMemo(() => inspectorRows(data?.results ?? [], marks, player.start), [data, marks, player])
  return (
    <>
      <SearchableMoments
        label="What happened"
        searchLabel="Search in this recording"
        all={all}
        select={selectRows}
        filter={filter}
        renderControls={() => (
          <>
            <ChoiceChips label="Show" choices={rowFilters} value={filter} onChange={onFilter} />
            {error && <ListProblem error={error} onRetry={() => void refetch()} />}
            {!data && !error && <output className="appear-late text-ink-3">Loading events…</output>}
          </>
        )}
        player={player}
        isChronological
        title={({ text }) => text}
        renderDetails={(row) => <Detail row={row} />}
        empty={data && <EmptyState title="No events captured" />}
        noMatch="No event, console line or request matches."
      >
        {(row) => (
          <>
            <span className="w-11 shrink-0 font-mono text-xs text-ink-3">{clockTime(row.at)}</span>
            <span aria-hidden="true" className="w-3.5 shrink-0 text-ink-3">
              {row.symbol}
            </span>
            <span className={`truncate ${inks[row.tone]}`}>{row.text}</span>
          </>
        )}
      </SearchableMoments>
      {data?.truncated && (
        <p className="border-t border-line p-2.5 text-xs text-ink-3">
          Only the first 5,000 events are shown.
        </p>
      )}
    </>
  )
}

function Detail({ row }: { row: InspectorRow }) {
  if (row.detail === '') return null
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
      tabIndex={0}
      aria-label={row.text}
      className="max-h-48 overflow-auto border-t border-line p-3 wrap-anywhere whitespace-pre-wrap"
    >
      {row.detail}
    </pre>
  )
}

const inks: Record<InspectorRow['tone'], string> = {
  plain: '',
  warn: 'text-short-ink',
  fail: 'font-medium text-fail-ink',
}
