import type {
  EventFilter,
  PropertyFilter,
  propertyOperators,
} from '../../../contract/recordings/recording-filter.ts'
import type { Zone } from '../../format/preferences.ts'
import { counted } from '../../format/amount.ts'
import { duration, shortTime } from '../../format/time.ts'
import { mentionsIn } from '../../../contract/recordings/mentions.ts'
import { quickFilterNames, type QuickFilterName } from '../../../contract/recordings/quick-filter.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { countryName } from '../../format/country.ts'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { isMinimum, type MinimumKey, minimumKeys } from './filter-kinds.ts'
import { isQuick, toggled } from './quick-filters.ts'

/** A filter in words, and the change of the search that removes the filter. */
export type FilterWords = { words: string; without: Partial<RecordingsSearch> }

/** Relative periods, in the API's syntax. */
export const periods = [
  ['-24h', 'last 24 hours'],
  ['-7d', 'last 7 days'],
  ['-30d', 'last 30 days'],
] as const

export const quickFilterWords: Record<QuickFilterName, string> = {
  yesterday: 'Yesterday',
  errors: 'Errors',
  failed_requests: 'Failed requests',
  rage_clicks: 'Rage clicks',
  left_form: 'Left a form',
  unwatched: 'Unwatched',
  long: 'Long',
  mobile: 'Mobile',
  live: 'Live',
}

/** What the words need besides the filters: the viewer's zone, the time, and the names of the project's collections. */
export type WordsContext = { zone: Zone; now: number; collections?: readonly Named[] | undefined }
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
      .map((name) => ({ words: quickFilterWords[name], without: toggled(search, name) })),
    ...filtersInWords(search, context),
  ]
}

/** Describes each filter of the search that neither the search field, the period field nor a quick filter shows. */
export function filtersInWords(search: RecordingsSearch, context: WordsContext): FilterWords[] {
  const {
    events,
    actions,
    properties,
    console_log_filters: entries,
    failed_request_filters: requests,
  } = search
  return [
    ...periodInWords(search, context),
    ...events.map((filter) => ({
      words: `Event happened: ${eventInWords(filter)}`,
      without: { events: events.filter((other) => other !== filter) },
    })),
    ...actions.map((filter) => ({
      words: `Action happened: ${eventInWords(filter)}`,
      without: { actions: actions.filter((other) => other !== filter) },
    })),
    ...entries.map((filter) => ({
      words: `Console ${comparisonInWords(filter)}`,
      without: { console_log_filters: entries.filter((other) => other !== filter) },
    })),
    ...requests.map((filter) => ({
      words: `Failed request’s ${comparisonInWords(filter)}`,
      without: { failed_request_filters: requests.filter((other) => other !== filter) },
    })),
    ...mentionsInWords(search.mentions),
    ...search.distinct_ids.map((id) => ({
      words: `Person: ${visitorName(null, id)}`,
      without: { distinct_ids: search.distinct_ids.filter((other) => other !== id) },
    })),
    ...(search.person_uuid ? [{ words: 'One person', without: { person_uuid: undefined } }] : []),
    ...(search.session_ids.length > 0
      ? [{ words: `One of ${counted(search.session_ids.length, 'recording')}`, without: { session_ids: [] } }]
      : []),
    ...collectionInWords(search, context),
    ...(search.snapshot_source
      ? [{ words: `Recorded on: ${search.snapshot_source}`, without: { snapshot_source: undefined } }]
      : []),
    ...properties
      .filter(
        (filter) =>
          !quickFilterNames.some((name) => isQuick({ ...search, properties: [filter] }, name, 'property')),
      )
      .map((filter) => ({
        words: propertyInWords(filter),
        without: { properties: properties.filter((other) => other !== filter) },
      })),
  ]
}

function collectionInWords(
  { collection: id }: RecordingsSearch,
  { collections }: WordsContext,
): FilterWords[] {
  if (id === undefined) return []
  const found = collections?.find((collection) => collection.id === id)
  const words = found ? `In collection: ${found.name}` : `In a ${collections ? 'deleted ' : ''}collection`
  return [{ words, without: { collection: undefined } }]
}

function mentionsInWords(mentions: readonly string[]): FilterWords[] {
  const [only, ...others] = mentions
  if (only === undefined) return []
  const words =
    others.length === 0
      ? `Person, id or page: ${only}`
      : `Mentioned in pasted text: ${mentionsAsText(mentions)}`
  return [{ words, without: { mentions: [] } }]
}

/** Says what was found in a text: `1 e-mail address and 2 URLs`. */
export function mentionsAsText(mentions: readonly string[]): string {
  const { emails, urls } = mentionsIn(mentions.join(' '))
  const ids = mentions.length - emails.length - urls.length
  const parts = [
    emails.length > 0 && counted(emails.length, 'e-mail address', 'e-mail addresses'),
    ids > 0 && counted(ids, 'id'),
    urls.length > 0 && counted(urls.length, 'URL'),
  ].filter((part) => part !== false)
  return new Intl.ListFormat('en').format(parts)
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

const minimumWords: Record<MinimumKey, (value: number) => string> = {
  recording_duration: (value) => `${duration(value * 1000)} long`,
  active_seconds: (value) => `${duration(value * 1000)} active`,
  click_count: (value) => counted(value, 'click'),
  console_error_count: (value) => counted(value, 'error'),
  failed_request_count: (value) => counted(value, 'failed request'),
  rage_click_count: (value) => counted(value, 'rage click'),
}

function propertyInWords(filter: PropertyFilter): string {
  const minimum = minimumKeys.find((key) => isMinimum(filter, key))
  if (minimum) return `At least ${minimumWords[minimum](Number(filter.value))}`
  const { type, key, value, operator } = filter
  if (type === 'recording' && operator === 'exact' && key in flagWords)
    return sentence((String(value) === 'true' ? '' : 'not ') + flagWords[key as keyof typeof flagWords])
  if (type === 'recording' && key === 'outcome') return sentence(comparisonInWords(filter))
  const name = type === 'event' ? eventPropertyWords[key] : undefined
  if (name) {
    const shown = key === '$geoip_country_code' ? countryName(String(value)) : value
    return sentence(comparisonInWords({ key: name, operator, value: shown }))
  }
  return `${sentence(type).replace('_', ' ')} ${comparisonInWords(filter)}`
}

const flagWords = {
  viewed: 'watched',
  kept: 'kept',
  ongoing: 'live',
  left_form: 'left a form',
  noted: 'noted',
  shared: 'shared',
} as const

/** Properties of events that people know by other names. */
const eventPropertyWords: Record<string, string> = {
  $browser: 'browser',
  $geoip_country_code: 'country',
  $os: 'operating system',
  $device_type: 'device',
  $current_url: 'page visited',
  $el_text: 'clicked text',
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
