import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { recordingEventsQuery } from '../../queries/recording.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { clockTime } from '../../words/clock.ts'
import { usePlayer, type Player } from '../player/player.ts'
import { filterRows, inspectorRows, rowAt, type InspectorRow } from './inspector-rows.ts'
import { rowFilters, type RowFilter } from './inspector-params.ts'

const rowHeight = 30
const overscan = 6

type EventsListProps = {
  projectId: string
  recordingId: string
  player: Player
  filter: RowFilter
  onFilter: (filter: RowFilter) => void
}

/** The events of a recording, synchronised with the playback; a click on one seeks to it. */
export function EventsList({ projectId, recordingId, player, filter, onFilter }: EventsListProps) {
  const { data, error, refetch } = useQuery(recordingEventsQuery(projectId, recordingId))
  const marks = usePlayer(player, (state) => state.marks)
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search)
  const all = useMemo(() => inspectorRows(data?.results ?? [], marks, player.start), [data, marks, player])
  const rows = useMemo(() => filterRows(all, filter, deferredSearch), [all, filter, deferredSearch])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-2 border-b border-line p-2.5">
        <SearchField label="Search in this recording" value={search} onSearch={setSearch} />
        <div className="flex flex-wrap gap-1">
          {rowFilters.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={filter === each}
              onClick={() => onFilter(each)}
              className="h-6 rounded-sm border border-line px-1.5 text-xs text-ink-2 capitalize hover:bg-hover aria-pressed:border-accent aria-pressed:text-ink"
            >
              {each}
            </button>
          ))}
        </div>
      </div>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <output className="appear-late p-3.5 text-ink-3">Loading events…</output>}
      {rows.length > 0 && <Rows rows={rows} player={player} />}
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

/** Renders only the visible rows and a few around them. */
function Rows({ rows, player }: { rows: readonly InspectorRow[]; player: Player }) {
  const ref = useRef<HTMLDivElement>(null)
  const [viewport, setViewport] = useState({ top: 0, height: 600 })
  const [openKey, setOpenKey] = useState<string | null>(null)
  const now = usePlayer(player, ({ playing }) => rowAt(rows, playing.at))
  const measure = () => {
    if (ref.current) setViewport({ top: ref.current.scrollTop, height: ref.current.clientHeight })
  }
  useEffect(() => {
    const list = ref.current
    // The list must not scroll away while someone reads it.
    if (!list || list.matches(':hover, :focus-within')) return
    list.scrollTop = now * rowHeight - list.clientHeight / 2
  }, [now])
  const first = Math.max(0, Math.floor(viewport.top / rowHeight) - overscan)
  const last = Math.min(rows.length, Math.ceil((viewport.top + viewport.height) / rowHeight) + overscan)
  const open = rows.find(({ key }) => key === openKey)
  return (
    <>
      <div ref={ref} onScroll={measure} className="min-h-0 flex-1 overflow-y-auto">
        <ol aria-label="What happened" className="relative" style={{ height: rows.length * rowHeight }}>
          {rows.slice(first, last).map((row, offset) => (
            <li
              key={row.key}
              aria-posinset={first + offset + 1}
              aria-setsize={rows.length}
              aria-current={first + offset === now ? 'time' : undefined}
              className="absolute inset-x-0 border-b border-line aria-[current=time]:bg-selected"
              style={{ top: (first + offset) * rowHeight, height: rowHeight }}
            >
              <button
                type="button"
                title={row.text}
                onClick={() => {
                  player.seek(row.at)
                  setOpenKey(row.key)
                }}
                className="flex size-full items-center gap-2.5 px-3 text-left hover:bg-hover"
              >
                <span className="w-11 shrink-0 font-mono text-xs text-ink-3">{clockTime(row.at)}</span>
                <span aria-hidden="true" className="w-3.5 shrink-0 text-ink-3">
                  {row.symbol}
                </span>
                <span className={`truncate ${inks[row.tone]}`}>{row.text}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {open && open.detail !== '' && (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
          tabIndex={0}
          aria-label={open.text}
          className="max-h-48 overflow-auto border-t border-line p-3 wrap-anywhere whitespace-pre-wrap"
        >
          {open.detail}
        </pre>
      )}
    </>
  )
}

const inks: Record<InspectorRow['tone'], string> = {
  plain: '',
  warn: 'text-short-ink',
  fail: 'font-medium text-fail-ink',
}
