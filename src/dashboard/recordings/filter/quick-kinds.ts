import { quickFilterNames } from '../../../contract/recordings/quick-filter.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import type { FilterKind } from './filter-kinds.ts'
import { quickFilterWords } from './filter-words.ts'
import { isQuick, toggled } from './quick-filters.ts'

/** The quick filters that are off, for the picker: the keyboard turns one on without tabbing to its button. */
export function quickKinds(search: RecordingsSearch): FilterKind[] {
  return quickFilterNames
    .filter((name) => !isQuick(search, name))
    .map((name) => ({
      label: quickFilterWords[name],
      group: 'Quick filter',
      questions: [],
      apply: (now) => toggled(now, name),
    }))
}
