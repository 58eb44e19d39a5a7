import { useQuery } from '@tanstack/react-query'
import {
  quickFilterNames,
  type QuickCounts,
  type QuickFilterName,
} from '../../../contract/recordings/quick-filter.ts'
import { useAccount } from '../../account.ts'
import { quickCountsQuery } from '../../queries/recordings/recordings.ts'
import { asFilter, type RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { keepRowsOf } from '../../queries/endpoint-query.ts'
import { count } from '../../format/amount.ts'
import { quickFilterWords } from './filter-words.ts'
import { isQuick, toggled } from './quick-filters.ts'
import { countInWords } from './recording-count.tsx'

type QuickFilterRowProps = {
  search: RecordingsSearch
  onChange: (part: Partial<RecordingsSearch>) => void
  /** Whether the list has its rows: the counts are fetched after them. */
  ready: boolean
}

/** Filters that one click turns on, each with the number of recordings that match it and the other filters. */
export function QuickFilterRow({ search, onChange, ready }: QuickFilterRowProps) {
  const { projectId } = useAccount()
  const { data } = useQuery({
    ...quickCountsQuery(projectId, asFilter(search)),
    enabled: ready,
    placeholderData: keepRowsOf({ project_id: projectId }),
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
          title={hints[name]}
          onClick={() => onChange(toggled(search, name))}
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-line bg-raised px-2.5 whitespace-nowrap text-ink-2 hover:bg-hover hover:text-ink aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:text-ink"
        >
          {quickFilterWords[name]}
          <Amount counts={data?.[name]} />
        </button>
      ))}
    </fieldset>
  )
}

const hints: Partial<Record<QuickFilterName, string>> = {
  errors: 'At least one console error',
  failed_requests: 'At least one request that got an error or no response',
  rage_clicks: 'Rapid clicks on the same element',
  left_form: 'A form that was filled in but not sent',
  mobile: 'Phones, in an app or a browser',
  long: 'At least 5 minutes of activity',
  live: 'New data in the last 5 minutes',
}

/** A count as short as possible; its tooltip says it in full. */
function Amount({ counts }: { counts: QuickCounts[QuickFilterName] | undefined }) {
  if (!counts) return <span className="inline-block w-3" />
  const { count: amount, count_is_estimate: isEstimate } = counts
  return (
    <span title={countInWords(amount, isEstimate)} className="text-xs text-ink-3">
      {isEstimate ? `≈\u2009${compact.format(amount)}` : count(amount)}
    </span>
  )
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 })
