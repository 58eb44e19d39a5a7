import type {
  EventFilter,
  PropertyFilter,
  propertyOperators,
} from '../../../contract/recordings/recording-filter.ts'
import { type Zone, usePreferences } from '../../format/preferences.ts'
import { counted } from '../../format/amount.ts'
import { shortTime } from '../../format/time.ts'
import { mentionsIn } from '../../../contract/recordings/mentions.ts'
import {
  quickFilterNames,
  type QuickFilterName,
  quickFilters,
} from '../../../contract/recordings/quick-filter.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { countryName } from '../../format/country.ts'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { eventPropertyLabels, isMinimum, minimumWords } from './filter-kinds.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../account.ts'
import { collectionsQuery } from '../../queries/recordings/recording-collections.ts'

/** A filter in words, and the change of the search that removes the filter. */
export type FilterWords = { words: string; without: Partial<RecordingsSearch> }

/** The list's filters, and how to change some. */
export type FilterProps = { search: RecordingsSearch; onChange: (part: Partial<RecordingsSearch>) => void }

/** Relative periods, in the API's syntax. */
export const periods = [
  ['-24h', 'last 24 hours'],
  ['-7d', 'last 7 days'],
  ['-30d', 'last 30 days'],
] as const

/** The label of each quick filter, and what it means if that is not clear. */
export const quickFilterWords: Record<QuickFilterName, { label: string; hint?: string }> = {
  yesterday: { label: 'Yesterday' },
  errors: { label: 'Errors', hint: 'At least one console error' },
  failed_requests: {
    label: 'Failed requests',
    hint: 'At least one request that got an error or no response',
  },
  rage_clicks: { label: 'Rage clicks', hint: 'Rapid clicks on the same element' },
  left_form: { label: 'Left a form', hint: 'A form that was filled in but not sent' },
  unwatched: { label: 'Unwatched' },
  long: { label: 'Long', hint: 'At least 5 minutes of activity' },
  mobile: { label: 'Mobile', hint: 'Phones, in an app or a browser' },
  live: { label: 'Live', hint: 'New data in the last 5 minutes' },
}

/** What the words need besides the filters: the viewer's zone, the time, and the names of the project's collections. */
type WordsContext = { zone: Zone; now: number; collections?: readonly Named[] | undefined }
type Named = { id: string; name: string }

/** Describes everything that narrows the list: the search text, the quick filters and the others. */
export function allFiltersInWords(search: RecordingsSearch, context: WordsContext): FilterWords[] {
  return [
    ...(search.search ? [{ words: `Search: ${search.search}`, without: { search: '' } }] : []),
    ...periods
      .filter(([period]) => period === search.date_from && search.date_to === undefined)
      .map(([, words]) => ({ words: `Started in the ${words}`, without: { date_from: undefined } })),
    ...quickFilterNames
      .filter((name) => isQuick(search, name))
      .map((name) => ({ words: quickFilterWords[name].label, without: toggled(search, name) })),
    ...filtersInWords(search, context),
  ]
}

/** Describes each filter of the search that neither the search field, the period field nor a quick filter shows. */
export function filtersInWords(search: RecordingsSearch, context: WordsContext): FilterWords[] {
  const { mentions, person_uuid, session_ids: ids, collection, snapshot_source: source } = search
  const one = (name: keyof RecordingsSearch, words: string | false | undefined) =>
    words ? [{ words, without: { [name]: undefined } }] : []
  return [
    ...periodInWords(search, context),
    ...eachInWords(search, 'events', (filter) => `Event happened: ${eventInWords(filter)}`),
    ...eachInWords(search, 'actions', (filter) => `Action happened: ${eventInWords(filter)}`),
    ...eachInWords(search, 'console_log_filters', (filter) => `Console ${comparisonInWords(filter)}`),
    ...eachInWords(
      search,
      'failed_request_filters',
      (filter) => `Failed request’s ${comparisonInWords(filter)}`,
    ),
    ...one('mentions', mentions.length > 0 && mentionsInWords(mentions)),
    ...eachInWords(search, 'distinct_ids', (id) => `Person: ${visitorName(null, id)}`),
    ...one('person_uuid', person_uuid && 'One person'),
    ...one('session_ids', ids.length > 0 && `One of ${counted(ids.length, 'recording')}`),
    ...one('collection', collection && collectionInWords(collection, context)),
    ...one('snapshot_source', source && `Recorded on: ${source}`),
    ...eachInWords(search, 'properties', propertyInWords),
  ]
}

type ListName = {
  [Name in keyof RecordingsSearch]-?: RecordingsSearch[Name] extends unknown[] ? Name : never
}[keyof RecordingsSearch]

/** Describes each item of a list of filters, except those for which `inWords` returns null. */
function eachInWords<Name extends ListName>(
  search: RecordingsSearch,
  name: Name,
  inWords: (item: RecordingsSearch[Name][number]) => string | null,
): FilterWords[] {
  const items: readonly RecordingsSearch[Name][number][] = search[name]
  return items.flatMap((item) => {
    const words = inWords(item)
    return words === null ? [] : { words, without: { [name]: items.filter((other) => other !== item) } }
  })
}

function collectionInWords(id: string, { collections }: WordsContext): string {
  const found = collections?.find((collection) => collection.id === id)
  return found ? `In collection: ${found.name}` : `In a ${collections ? 'deleted ' : ''}collection`
}

function mentionsInWords(mentions: readonly string[]): string {
  return mentions.length === 1
    ? `Person, id or page: ${mentions[0]}`
    : `Mentioned in pasted text: ${mentionsAsText(mentions)}`
}

/** Returns the change of the search that finds what a ticket's text names. */
export function searchForMentions(text: string): Partial<RecordingsSearch> {
  const { emails, ids, urls } = mentionsIn(text)
  return { search: '', mentions: [...emails, ...ids, ...urls] }
}

/** Says what was found in a text: `1 e-mail address and 2 URLs`. */
export function mentionsAsText(mentions: readonly string[]): string {
  const { emails, urls } = mentionsIn(mentions.join(' '))
  const ids = mentions.length - emails.length - urls.length
  const parts = [
    emails.length > 0 && counted(emails.length, 'e-mail address', 'e-mail addresses'),
    ids > 0 && counted(ids, 'id'),
    urls.length > 0 && counted(urls.length, 'URL'),
  ]
  return new Intl.ListFormat('en').format(parts.filter((part) => part !== false))
}

function periodInWords(search: RecordingsSearch, { zone, now }: WordsContext): FilterWords[] {
  const { date_from: from, date_to: to } = search
  // The period field shows relative periods.
  if ((!from && !to) || (!to && periods.some(([period]) => period === from))) return []
  if (isQuick(search, 'yesterday')) return []
  const moment = (text: string) =>
    text.startsWith('-') ? `${text.slice(1)} ago` : shortTime(Date.parse(text), zone, now)
  const words = [from && `from ${moment(from)}`, to && `until ${moment(to)}`].filter(Boolean).join(' ')
  return [{ words: `Started ${words}`, without: { date_from: undefined, date_to: undefined } }]
}

function eventInWords({ id, name, properties = [] }: EventFilter): string {
  const event = id === null ? 'any' : String(name ?? id)
  return [event, ...properties.map(comparisonInWords)].join(', ')
}

/** Describes a filter on a property; null for a quick filter. */
function propertyInWords(filter: PropertyFilter): string | null {
  if (isQuickProperty(filter)) return null
  if (isMinimum(filter)) return `At least ${minimumWords[filter.key](Number(filter.value))}`
  const { type, key, value, operator } = filter
  const flag = type === 'recording' && operator === 'exact' ? flagWords[key] : undefined
  if (flag !== undefined) return sentence((String(value) === 'true' ? '' : 'not ') + flag)
  if (type === 'recording' && key === 'outcome') return sentence(comparisonInWords(filter))
  if (type === 'event' && key in eventPropertyLabels) {
    const label = eventPropertyLabels[key as keyof typeof eventPropertyLabels]
    const shown = key === '$geoip_country_code' ? countryName(String(value)) : value
    return comparisonInWords({ key: label, operator, value: shown })
  }
  return `${sentence(type).replace('_', ' ')} ${comparisonInWords(filter)}`
}

const flagWords: Partial<Record<string, string>> = {
  viewed: 'watched',
  kept: 'kept',
  ongoing: 'live',
  left_form: 'left a form',
  noted: 'noted',
  shared: 'shared',
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
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

/** Returns the zone, the time and, if the search names a collection, the collections: `filtersInWords` requires them. */
export function useWordsContext({ collection }: RecordingsSearch): WordsContext {
  const { projectId } = useAccount()
  const { zone } = usePreferences()
  const [now] = useState(Date.now)
  const { data } = useQuery({ ...collectionsQuery(projectId), enabled: collection !== undefined })
  return { zone, now, collections: data?.results }
}

/** Whether the search contains a quick filter. */
export function isQuick({ date_from, date_to, properties }: RecordingsSearch, name: QuickFilterName) {
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
