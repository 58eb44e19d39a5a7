import { useQueries } from '@tanstack/react-query'
import { useAccount } from '../../account.ts'
import { matchingQuery } from '../../queries/recordings.ts'
import { asFilter, noFilters, type RecordingsSearch } from '../../queries/recordings-search.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { allFiltersInWords } from './filter-words.ts'
import { countInWords } from './recording-count.tsx'
import { useWordsContext } from './use-words-context.ts'

/** Largest number of filters that are each left out on trial. */
const triedMax = 8

type NoMatchesProps = {
  search: RecordingsSearch
  onChange: (part: Partial<RecordingsSearch>) => void
}

/** Says which filter hides all recordings, and offers to remove it. */
export function NoMatches({ search, onChange }: NoMatchesProps) {
  const { projectId } = useAccount()
  const filters = allFiltersInWords(search, useWordsContext(search)).slice(0, triedMax)
  const results = useQueries({
    queries: (filters.length > 1 ? filters : []).map(({ without }) =>
      matchingQuery(projectId, asFilter({ ...search, ...without })),
    ),
  })
  const helpful = filters.flatMap((filter, index) => {
    const page = results[index]?.data
    return page && page.count > 0 ? [{ ...filter, page }] : []
  })
  return (
    <EmptyState title="No recordings match the filters">
      {helpful.map(({ words, without, page }) => (
        <Button key={words} onClick={() => onChange(without)}>
          Without “{words}”: {countInWords(page.count, page.count_is_estimate)}
        </Button>
      ))}
      <Button look={helpful.length > 0 ? 'quiet' : 'plain'} onClick={() => onChange(noFilters)}>
        Clear all
      </Button>
    </EmptyState>
  )
}
