import type { EventFilter, PropertyFilter, propertyOperators } from '../../../contract/recording-filter.ts'
import type { Zone } from '../../words/preferences.ts'
import { counted } from '../../words/amount.ts'
import { duration, shortTime } from '../../words/time.ts'
import { isMinimum, type MinimumKey, minimumKeys } from './filter-facets.ts'
import type { RecordingsSearch } from '../../queries/recordings-search.ts'

/** A filter in words, and the change of the search that removes the filter. */
export type FilterWords = { words: string; without: Partial<RecordingsSearch> }

/** Relative periods, in the API's syntax. */
export const periods = [
  ['-24h', 'last 24 hours'],
  ['-7d', 'last 7 days'],
  ['-30d', 'last 30 days'],
] as const

/** Describes each filter of the search, except the search text. */
export function filtersInWords(search: RecordingsSearch, zone: Zone, now: number): FilterWords[] {
  const { events, properties, console_log_filters: entries, failed_request_filters: requests } = search
  return [
    ...periodInWords(search, zone, now),
    ...events.map((filter) => ({
      words: `Event happened: ${eventInWords(filter)}`,
      without: { events: events.filter((other) => other !== filter) },
    })),
    ...entries.map((filter) => ({
      words: `Console ${comparisonInWords(filter)}`,
      without: { console_log_filters: entries.filter((other) => other !== filter) },
    })),
    ...requests.map((filter) => ({
      words: `Failed request’s ${comparisonInWords(filter)}`,
      without: { failed_request_filters: requests.filter((other) => other !== filter) },
    })),
    ...search.distinct_ids.map((id) => ({
      words: `Person: ${id}`,
      without: { distinct_ids: search.distinct_ids.filter((other) => other !== id) },
    })),
    ...(search.person_uuid ? [{ words: 'One person', without: { person_uuid: undefined } }] : []),
    ...(search.snapshot_source
      ? [{ words: `Recorded on: ${search.snapshot_source}`, without: { snapshot_source: undefined } }]
      : []),
    ...properties.map((filter) => ({
      words: propertyInWords(filter),
      without: { properties: properties.filter((other) => other !== filter) },
    })),
  ]
}

function periodInWords(search: RecordingsSearch, zone: Zone, now: number): FilterWords[] {
  const { date_from: from, date_to: to } = search
  // The period field shows relative periods.
  if ((!from && !to) || (!to && periods.some(([period]) => period === from))) return []
  const moment = (text: string) =>
    text.startsWith('-') ? `${text.slice(1)} ago` : shortTime(Date.parse(text), zone, now)
  const words = [from && `from ${moment(from)}`, to && `until ${moment(to)}`].filter(Boolean).join(' ')
  return [{ words: `Started ${words}`, without: { date_from: undefined, date_to: undefined } }]
}

function eventInWords({ id, name, properties = [] }: EventFilter): string {
  const event = id === null ? 'any' : String(name ?? id)
  return [event, ...properties.map(comparisonInWords)].join(', ')
}

const minimumWords: Record<MinimumKey, (value: number) => string> = {
  recording_duration: (value) => `${duration(value * 1000)} long`,
  click_count: (value) => counted(value, 'click'),
  console_error_count: (value) => counted(value, 'error'),
  failed_request_count: (value) => counted(value, 'failed request'),
}

function propertyInWords(filter: PropertyFilter): string {
  const minimum = minimumKeys.find((key) => isMinimum(filter, key))
  if (minimum) return `At least ${minimumWords[minimum](Number(filter.value))}`
  const { type } = filter
  return `${type.charAt(0).toUpperCase()}${type.slice(1).replace('_', ' ')} ${comparisonInWords(filter)}`
}

const operatorWords: Record<(typeof propertyOperators)[number], string> = {
  exact: 'is',
  is_not: 'is not',
  icontains: 'contains',
  not_icontains: 'does not contain',
  regex: 'matches',
  not_regex: 'does not match',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  is_set: 'is set',
  is_not_set: 'is not set',
}

function comparisonInWords({ key, operator, value }: Omit<PropertyFilter, 'type'>): string {
  const compared = operator === 'is_set' || operator === 'is_not_set' ? '' : ` ${[value].flat().join(' or ')}`
  return `${key} ${operatorWords[operator]}${compared}`
}
