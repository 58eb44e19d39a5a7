import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { recordingEventsQuery } from '../../queries/recordings/recording.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { clockTime } from '../../format/clock.ts'
import { usePlayer, type Player } from '../player/player.ts'
import { ChoiceChips } from '../moments/choice-chips.tsx'
import { filterRows, foldRequests, inspectorRows, type InspectorRow } from '../moments/inspector-rows.ts'
import { rowFilters, type RowFilter } from '../moments/inspector-params.ts'
import { MomentList } from '../moments/moment-list.tsx'

type EventsListProps = {
  projectId: string
  recordingId: string
  player: Player
  filter: RowFilter
  onFilter: (filter: RowFilter) => void
}

/** The events of a recording. */
export function EventsList({ projectId, recordingId, player, filter, onFilter }: EventsListProps) {
  const { data, error, refetch } = useQuery(recordingEventsQuery(projectId, recordingId))
  const marks = usePlayer(player, (state) => state.marks)
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search)
  const all = useMemo(() => inspectorRows(data?.results ?? [], marks, player.start), [data, marks, player])
  const rows = useMemo(() => {
    const found = filterRows(all, filter, deferredSearch)
    return filter === 'all' && deferredSearch === '' ? foldRequests(found) : found
  }, [all, filter, deferredSearch])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-2 border-b border-line p-2.5">
        <SearchField label="Search in this recording" value={search} onSearch={setSearch} />
        <ChoiceChips label="Show" choices={rowFilters} value={filter} onChange={onFilter} />
      </div>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <output className="appear-late p-3.5 text-ink-3">Loading events…</output>}
      {rows.length > 0 && (
        <MomentList
          label="What happened"
          rows={rows}
          player={player}
          isChronological
          title={({ text }) => text}
          renderDetails={(row) => <Detail row={row} />}
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
        </MomentList>
      )}
      {data && all.length === 0 && <EmptyState title="No events captured" />}
      {all.length > 0 && rows.length === 0 && (
        <EmptyState title="No matches">
          <p>No event, console line or request matches.</p>
        </EmptyState>
      )}
      {data?.truncated && (
        <p className="border-t border-line p-2.5 text-xs text-ink-3">
          Only the first 5,000 events are shown.
        </p>
      )}
    </div>
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
