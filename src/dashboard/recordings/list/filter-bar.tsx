import { lazy, Suspense, useState, type RefObject } from 'react'
import type { RecordingOrder } from '../../../contract/recording-filter.ts'
import { usePreferences } from '../../words/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SelectChip } from '../../ui/select-chip.tsx'
import { filtersInWords, periods } from './filter-words.ts'
import { isFiltered, noFilters, type RecordingsSearch } from '../../queries/recordings-search.ts'

const FilterDialog = lazy(() =>
  import('./filter-dialog.tsx').then((module) => ({ default: module.FilterDialog })),
)

type FilterBarProps = {
  search: RecordingsSearch
  onChange: (part: Partial<RecordingsSearch>) => void
  fieldRef: RefObject<HTMLInputElement | null>
}

/** Shows the list's filters and order; their values are in the URL. */
export function FilterBar({ search, onChange, fieldRef }: FilterBarProps) {
  const [choosing, setChoosing] = useState(false)
  return (
    <div className="mt-3.5 mb-1 flex flex-wrap items-center gap-2">
      <SearchField
        ref={fieldRef}
        label="Person, id or first page"
        shortcut="/"
        waitMs={250}
        value={search.search}
        onSearch={(text) => onChange({ search: text.trim() })}
      />
      <Period search={search} onChange={onChange} onCustom={() => setChoosing(true)} />
      <SelectChip
        label="Sort"
        value={search.order}
        choices={orders}
        onChange={(order) => onChange({ order, order_direction: 'DESC' })}
      />
      <Chips search={search} onChange={onChange} />
      <Button onClick={() => setChoosing(true)}>
        <Icon name="plus" size={14} /> Filter
      </Button>
      {isFiltered(search) && (
        <Button look="quiet" onClick={() => onChange(noFilters)}>
          Clear all
        </Button>
      )}
      <Suspense>
        {choosing && <FilterDialog search={search} onChange={onChange} onClose={() => setChoosing(false)} />}
      </Suspense>
    </div>
  )
}

const orders: readonly (readonly [RecordingOrder, string])[] = [
  ['start_time', 'started'],
  ['recording_duration', 'duration'],
  ['active_seconds', 'active time'],
  ['inactive_seconds', 'idle time'],
  ['click_count', 'clicks'],
  ['keypress_count', 'keys'],
  ['mouse_activity_count', 'mouse'],
  ['console_error_count', 'errors'],
]

type PeriodProps = Pick<FilterBarProps, 'search' | 'onChange'> & { onCustom: () => void }

function Period({ search, onChange, onCustom }: PeriodProps) {
  const { date_from: from, date_to: to } = search
  const known = to ? undefined : periods.find(([period]) => period === from)?.[0]
  const value = known ?? (from || to ? 'custom' : 'any')
  return (
    <SelectChip
      label="When"
      value={value}
      choices={[['any', 'any time'], ...periods, ['custom', 'custom…']]}
      onChange={(chosen) => {
        if (chosen === 'custom') onCustom()
        else onChange({ date_from: chosen === 'any' ? undefined : chosen, date_to: undefined })
      }}
    />
  )
}

function Chips({ search, onChange }: Pick<FilterBarProps, 'search' | 'onChange'>) {
  const { zone } = usePreferences()
  const [openedAt] = useState(Date.now)
  return filtersInWords(search, zone, openedAt).map(({ words, without }) => (
    <button
      key={words}
      type="button"
      aria-label={`Remove the filter “${words}”`}
      title={words}
      onClick={() => onChange(without)}
      className="inline-flex h-8 max-w-80 items-center gap-1.5 rounded-md border border-accent bg-raised px-2.5 hover:bg-hover"
    >
      <span className="truncate">{words}</span>
      <Icon name="close" size={14} />
    </button>
  ))
}
