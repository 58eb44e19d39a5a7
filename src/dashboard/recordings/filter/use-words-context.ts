import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../account.ts'
import { collectionsQuery } from '../../queries/recordings/recording-collections.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { usePreferences } from '../../format/preferences.ts'
import type { WordsContext } from './filter-words.ts'

/** Returns the zone, the time and, if the search names a collection, the collections: `filtersInWords` requires them. */
export function useWordsContext({ collection }: RecordingsSearch): WordsContext {
  const { projectId } = useAccount()
  const { zone } = usePreferences()
  const [now] = useState(Date.now)
  const { data } = useQuery({ ...collectionsQuery(projectId), enabled: collection !== undefined })
  return { zone, now, collections: data?.results }
}
