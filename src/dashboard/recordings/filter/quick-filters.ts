import { quickFilters, type QuickFilterName } from '../../../contract/recordings/quick-filter.ts'
import type { PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'

/** Whether the search contains a quick filter; with `kind`, only if the quick filter is a property. */
export function isQuick(search: RecordingsSearch, name: QuickFilterName, kind?: 'property'): boolean {
  const quick = quickFilters[name]
  if ('dates' in quick)
    return (
      kind === undefined &&
      search.date_from === quick.dates.date_from &&
      search.date_to === quick.dates.date_to
    )
  return search.properties.some((filter) => isSame(filter, quick.property))
}

/** Returns the change of the search that turns a quick filter on or off. */
export function toggled(search: RecordingsSearch, name: QuickFilterName): Partial<RecordingsSearch> {
  const quick = quickFilters[name]
  const isOn = isQuick(search, name)
  if ('dates' in quick) return isOn ? { date_from: undefined, date_to: undefined } : quick.dates
  const { property } = quick
  const others = search.properties.filter((filter) => !isSame(filter, property))
  return { properties: isOn ? others : [...others, property] }
}

function isSame(one: PropertyFilter, other: PropertyFilter): boolean {
  return (
    one.type === other.type &&
    one.key === other.key &&
    one.operator === other.operator &&
    one.value === other.value
  )
}
