import { Suspense, useEffect, useRef, useState, type RefObject } from 'react'
import { isTicket } from '../../../contract/recordings/mentions.ts'
import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FilterField } from '../../ui/controls/filter-field.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { useOpening } from '../../ui/controls/use-opening.ts'
import {
  filtersInWords,
  mentionsAsText,
  periods,
  quickFilterWords,
  searchForMentions,
  type FilterProps,
  useWordsContext,
  isQuick,
  toggled,
} from './filter-words.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { isFiltered, noFilters, asFilter, withoutOrder } from '../../queries/recordings/recordings-search.ts'
import { useQuery } from '@tanstack/react-query'
import {
  quickFilterNames,
  type QuickCounts,
  type QuickFilterName,
} from '../../../contract/recordings/quick-filter.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery, keepRowsOf } from '../../queries/endpoint-query.ts'
import { count } from '../../format/amount.ts'
import { countInWords } from './recording-count.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'

const PeriodDialog = lazyNamed(() => import('./period-dialog.tsx'), 'PeriodDialog')
const loadPicker = () => import('./filter-picker.tsx')
const FilterPicker = lazyNamed(loadPicker, 'FilterPicker')

type FilterBarProps = FilterProps & {
  fieldRef: RefObject<HTMLInputElement | null>
  /** Whether the list has its rows: the rest is fetched after them. */
  ready: boolean
}

/** Shows the list's filters and order; their values are in the URL. */
export function FilterBar({ search, onChange, fieldRef, ready }: FilterBarProps) {
  const [choosing, setChoosing] = useState(false)
  const find = (text: string) => {
    if (!isTicket(text)) return onChange({ search: text.trim().slice(0, searchMax) })
    if (fieldRef.current) fieldRef.current.value = ''
    onChange(searchForMentions(text))
  }
  return (
    <div className="mt-3.5 mb-1">
      <div className="flex flex-wrap items-center gap-2">
        <div
          className="max-sm:w-full"
          onPaste={(event) => {
            // A text field drops line breaks, which separate the words of a ticket.
            const text = event.clipboardData.getData('text/plain')
            if (!isTicket(text)) return
            event.preventDefault()
            find(text)
          }}
        >
          <FilterField
            ref={fieldRef}
            label="Search, or paste a ticket"
            shortcut="/"
            waitMs={250}
            value={search.search}
            onSearch={find}
          />
        </div>
        <Period search={search} onChange={onChange} onCustom={() => setChoosing(true)} />
        <SelectChip
          label="Sort"
          value={search.order}
          choices={orders}
          onChange={(order) => onChange({ order, order_direction: 'DESC' })}
        />
        <AddFilter search={search} onChange={onChange} ready={ready} />
        {isFiltered(search) && (
          <Button look="quiet" onClick={() => onChange(noFilters)}>
            Clear all
          </Button>
        )}
      </div>
      <QuickFilterRow search={search} onChange={onChange} ready={ready} />
      <Chips search={search} onChange={onChange} />
      <Suspense>
        {choosing && <PeriodDialog search={search} onChange={onChange} onClose={() => setChoosing(false)} />}
      </Suspense>
    </div>
  )
}

const searchMax = 200

function AddFilter({ search, onChange, ready }: Omit<FilterBarProps, 'fieldRef'>) {
  const { open, key, onToggle } = useOpening()
  const ref = useRef<HTMLDialogElement>(null)
  const buttonRef = useRef<HTMLButtonElement>(null)
  // Loads the picker early, because people type the filter right after the key.
  useEffect(() => {
    if (ready) void loadPicker()
  }, [ready])
  const openByKey = () => {
    buttonRef.current?.click()
    ref.current?.focus()
  }
  useKeys({ f: { does: 'Add a filter', run: openByKey } })
  return (
    <>
      <Button ref={buttonRef} popoverTarget="add-filter" aria-haspopup="dialog">
        <Icon name="plus" size={14} /> Filter <KeyHint of="f" />
      </Button>
      <dialog
        ref={ref}
        id="add-filter"
        popover="auto"
        tabIndex={-1}
        aria-label="Add a filter"
        className="anchored-start w-90 rounded-lg border border-line bg-raised p-0 shadow-overlay max-[392px]:mx-4 max-[392px]:w-[calc(100vw-32px)]"
        onToggle={onToggle}
      >
        <Suspense>
          {open && (
            <FilterPicker
              key={key}
              search={search}
              onChange={onChange}
              onClose={() => ref.current?.hidePopover()}
            />
          )}
        </Suspense>
      </dialog>
    </>
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

function Period({ search, onChange, onCustom }: FilterProps & { onCustom: () => void }) {
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

function Chips({ search, onChange }: FilterProps) {
  const filters = filtersInWords(search, useWordsContext(search))
  if (filters.length === 0) return null
  return (
    <>
      <div className="mt-2 flex flex-wrap gap-2">
        {filters.map(({ words, without }) => (
          <button
            key={words}
            type="button"
            aria-label={`Remove the filter “${words}”`}
            title={words}
            onClick={() => onChange(without)}
            className="inline-flex h-8 max-w-full items-center gap-1.5 rounded-md border border-accent bg-raised px-2.5 hover:bg-hover"
          >
            <span className="truncate">{words}</span>
            <Icon name="close" size={14} />
          </button>
        ))}
      </div>
      {search.mentions.length > 1 && (
        <output className="mt-2 block wrap-anywhere text-ink-2">
          Found {mentionsAsText(search.mentions)} in the text: {search.mentions.join(' · ')}
        </output>
      )}
    </>
  )
}

/** Filters that one click turns on, each with the number of recordings that match it and the other filters. */
function QuickFilterRow({ search, onChange, ready }: Omit<FilterBarProps, 'fieldRef'>) {
  const { projectId } = useAccount()
  const params = { project_id: projectId }
  const { data } = useQuery({
    ...endpointQuery('quickCounts', { params, query: withoutOrder(asFilter(search)) }),
    enabled: ready,
    placeholderData: keepRowsOf(params),
  })
  return (
    <fieldset
      aria-label="Quick filters"
      className="fade-hint -mx-1 mt-2 flex min-w-0 scrollbar-none gap-1.5 overflow-x-auto p-1"
    >
      {quickFilterNames.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={isQuick(search, name)}
          title={quickFilterWords[name].hint}
          onClick={() => onChange(toggled(search, name))}
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-line bg-raised px-2.5 whitespace-nowrap text-ink-2 hover:bg-hover hover:text-ink aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:text-ink"
        >
          {quickFilterWords[name].label}
          <Amount counts={data?.[name]} />
        </button>
      ))}
    </fieldset>
  )
}

/** A count as short as possible; its tooltip says it in full. */
function Amount({ counts }: { counts: QuickCounts[QuickFilterName] | undefined }) {
  if (!counts) return <span className="inline-block w-3" />
  const { count: amount, count_is_estimate: isEstimate } = counts
  return (
    <span title={countInWords(counts)} className="text-xs text-ink-3">
      {isEstimate ? `≈\u2009${compact.format(amount)}` : count(amount)}
    </span>
  )
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 })
