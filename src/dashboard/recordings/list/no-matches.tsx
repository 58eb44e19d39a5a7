import { useQueries, useQuery } from '@tanstack/react-query'
import type { PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import { useAccount } from '../../account.ts'
import { shopAddress } from '../../api/content-origin.ts'
import { matchingQuery } from '../../queries/recordings/recordings.ts'
import { asFilter, noFilters, type RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { allFiltersInWords, type FilterProps, useWordsContext } from '../filter/filter-words.ts'
import { countInWords } from '../filter/recording-count.tsx'
import { CaptureSnippet } from './capture-snippet.tsx'

/** Largest number of filters that are each left out on trial. */
const triedMax = 8

/** Says which filter hides all recordings, and offers to remove it, or to search in all visited pages. */
export function NoMatches({ search, onChange }: FilterProps) {
  const { projectId } = useAccount()
  const filters = allFiltersInWords(search, useWordsContext(search)).slice(0, triedMax)
  const results = useQueries({
    queries: (filters.length > 1 ? filters : []).map(({ without }) =>
      matchingQuery(projectId, asFilter({ ...search, ...without })),
    ),
  })
  const { search: text, properties } = search
  // The search compares only the first page of a recording; this filter compares all.
  const page: PropertyFilter = { type: 'event', key: '$current_url', operator: 'icontains', value: text }
  const visited: Partial<RecordingsSearch> = { search: '', properties: [...properties, page] }
  const { data: onPage } = useQuery({
    ...matchingQuery(projectId, asFilter({ ...search, ...visited })),
    enabled: text !== '',
  })
  const helpful = filters.flatMap((filter, index) => {
    const found = results[index]?.data
    return found && found.count > 0 ? [{ ...filter, found }] : []
  })
  return (
    <EmptyState title="No recordings match the filters">
      {onPage !== undefined && onPage.count > 0 && (
        <Button onClick={() => onChange(visited)}>
          Visited a page with “{text}” in its address: {countInWords(onPage)}
        </Button>
      )}
      {helpful.map(({ words, without, found }) => (
        <Button key={words} onClick={() => onChange(without)}>
          Without “{words}”: {countInWords(found)}
        </Button>
      ))}
      <Button look={helpful.length > 0 ? 'quiet' : 'plain'} onClick={() => onChange(noFilters)}>
        Clear all
      </Button>
    </EmptyState>
  )
}

/** Tells a project without recordings how to get them. */
export function NoRecordings() {
  return (
    <EmptyState title="No recordings yet">
      <p>
        A recording shows what a visitor saw and did. To record your pages, point posthog-js at this service:
      </p>
      <CaptureSnippet />
      <p>
        Or visit the{' '}
        <a href={shopAddress()} target="_blank" rel="noreferrer" className="underline underline-offset-3">
          demo shop
        </a>
        , which records its visitors.
      </p>
    </EmptyState>
  )
}
