import { useDeferredValue, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { rowAt } from './inspector-rows.ts'
import { usePlayer, type Player } from '../player/player.ts'

const rowHeight = 30
const overscan = 6

type Moment = { key: string; at: number }

type MomentListProps<Row extends Moment> = {
  label: string
  rows: readonly Row[]
  player: Player
  /** Whether the rows are in chronological order, so that the list can follow the playback. */
  isChronological: boolean
  title: (row: Row) => string
  children: (row: Row) => ReactNode
  /** Details of the selected row, below the list; null if it has none. */
  renderDetails: (row: Row) => ReactNode
}

/** Moments of a recording, synchronised with the playback; a click on one seeks to it. Renders only the visible rows. */
export function MomentList<Row extends Moment>(props: MomentListProps<Row>) {
  const { label, rows, player, isChronological, title, children, renderDetails } = props
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
    if (!isChronological || !list || list.matches(':hover, :focus-within')) return
    list.scrollTop = now * rowHeight - list.clientHeight / 2
  }, [now, isChronological])
  const first = Math.max(0, Math.floor(viewport.top / rowHeight) - overscan)
  const last = Math.min(rows.length, Math.ceil((viewport.top + viewport.height) / rowHeight) + overscan)
  const open = rows.find(({ key }) => key === openKey)
  return (
    <>
      <div ref={ref} onScroll={measure} className="min-h-0 flex-1 overflow-y-auto">
        <ol aria-label={label} className="relative" style={{ height: rows.length * rowHeight }}>
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
                title={title(row)}
                onClick={() => {
                  player.seek(row.at)
                  setOpenKey(row.key)
                }}
                className="flex size-full items-center gap-2.5 px-3 text-left hover:bg-hover"
              >
                {children(row)}
              </button>
            </li>
          ))}
        </ol>
      </div>
      {open && renderDetails(open)}
    </>
  )
}

type SearchableMomentsProps<Row extends Moment, Filter> = Omit<MomentListProps<Row>, 'rows'> & {
  searchLabel: string
  all: readonly Row[]
  /** Returns the rows that pass the filter and contain the text. */
  select: (all: readonly Row[], filter: Filter, search: string) => readonly Row[]
  /** Must be the same object until it changes. */
  filter: Filter
  /** Further controls below the search field. */
  renderControls: (rows: readonly Row[]) => ReactNode
  /** Shown in place of the list when there are no moments at all. */
  empty: ReactNode
  /** Says that no moment matches. */
  noMatch: string
}

/** A list of moments with a search field and a filter. */
export function SearchableMoments<Row extends Moment, Filter>(props: SearchableMomentsProps<Row, Filter>) {
  const { searchLabel, all, select, filter, renderControls, empty, noMatch, ...list } = props
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search)
  const rows = useMemo(() => select(all, filter, deferredSearch), [select, all, filter, deferredSearch])
  return (
    <>
      <div className="flex flex-col gap-2 border-b border-line p-2.5">
        <SearchField label={searchLabel} value={search} onSearch={setSearch} />
        {renderControls(rows)}
      </div>
      {rows.length > 0 && <MomentList {...list} rows={rows} />}
      {all.length === 0 && empty}
      {all.length > 0 && rows.length === 0 && (
        <EmptyState title="No matches">
          <p>{noMatch}</p>
        </EmptyState>
      )}
    </>
  )
}

type ChoiceChipsProps<Choice extends string> = {
  label: string
  choices: readonly Choice[]
  value: Choice
  onChange: (value: Choice) => void
}

/** A row of buttons of which one is chosen. */
export function ChoiceChips<Choice extends string>({
  label,
  choices,
  value,
  onChange,
}: ChoiceChipsProps<Choice>) {
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-1">
      {choices.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={value === each}
          onClick={() => onChange(each)}
          className="h-6 rounded-sm border border-line px-1.5 text-xs text-ink-2 capitalize hover:bg-hover aria-pressed:border-accent aria-pressed:text-ink"
        >
          {each}
        </button>
      ))}
    </fieldset>
  )
}
