import { quickFilters, type QuickFilterName } from '../../../contract/recordings/quick-filter.ts'
import type { PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'

/** Whether the search contains a quick filter. */
export function isQuick(
  { date_from, date_to, properties }: RecordingsSearch,
  name: QuickFilterName,
): boolean {
  const quick = quickFilters[name]
  if ('dates' in quick) return date_from === quick.dates.date_from && date_to === quick.dates.date_to
  return properties.some((filter) => isSame(filter, quick.property))
}

/** Whether a filter on a property is a quick filter. */
export function isQuickProperty(filter: PropertyFilter): boolean {
  return Object.values(quickFilters).some((quick) => 'property' in quick && isSame(filter, quick.property))
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
  return (['type', 'key', 'operator', 'value'] as const).every((name) => one[name] === other[name])
}
