import { mentionsIn } from '../../../contract/recordings/mentions.ts'
import type { PropertyFilter, RequestFilter } from '../../../contract/recordings/recording-filter.ts'
import { snapshotSources } from '../../../contract/recordings/snapshot-source.ts'
import type { QueryInput } from '../../../contract/endpoints.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { countryName } from '../../format/country.ts'
import { duration } from '../../format/time.ts'

/** An answer that the picker offers. */
export type Choice = { value: string; label: string; hint?: string }

/** A question of the picker: its answers come from a list, from captured data, from persons or from the typed text. */
export type Question = {
  /** Placeholder of the text field. */
  ask: string
  choices?: readonly Choice[]
  /** Request for suggestions, given the answers so far. */
  suggests?: (answers: readonly string[]) => Partial<QueryInput<'filterValues'>>
  suggestsPersons?: boolean
  suggestsCollections?: boolean
  /** Text of the picker if there is no answer to offer. */
  emptyText?: string
  /** Returns the answer that the typed text is; null if it is not a valid one. */
  typed?: (text: string) => Choice | null
  labelOf?: (value: string) => string
}

/** A kind of filter that can be added: its questions, if any, and the change of the search that their answers cause. */
export type FilterKind = {
  label: string
  group: string
  /** Other words by which the kind is found. */
  keywords?: string
  questions: readonly Question[]
  apply: (search: RecordingsSearch, answers: readonly string[]) => Partial<RecordingsSearch>
}

const yesOrNo = (yes: string, no: string): Choice[] => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]
const anyText = (text: string): Choice => ({ value: text, label: `contains “${text}”` })
const exactly = (text: string): Choice => ({ value: text, label: text })

/** Reads a typed number of seconds (`90`, `90s`), minutes (`5 min`) or hours (`1h`); null for any other text. */
export function readSeconds(text: string): number | null {
  const [, number, unit = 's'] = /^(\d{1,6}(?:\.\d+)?)\s*(s|m|h)?(?:ec|in|ours?|inutes?)?$/i.exec(text) ?? []
  const seconds = { s: 1, m: 60, h: 3600 }[unit.toLowerCase()] ?? 1
  return number === undefined ? null : Math.round(Number(number) * seconds)
}

function minimumTime(label: string, key: MinimumKey): FilterKind {
  const choice = (seconds: number): Choice => ({
    value: String(seconds),
    label: `at least ${duration(seconds * 1000)}`,
  })
  return {
    label,
    group: 'Recording',
    keywords: 'minimum long short length time',
    questions: [
      {
        ask: 'At least, for example 90 s or 5 min',
        choices: [10, 60, 300, 600, 1800].map(choice),
        typed: (text) => {
          const seconds = readSeconds(text)
          return seconds === null ? null : choice(seconds)
        },
      },
    ],
    apply: withMinimum(key),
  }
}

function minimumCount(label: string, key: MinimumKey): FilterKind {
  const choice = (number: number): Choice => ({ value: String(number), label: `at least ${number}` })
  return {
    label,
    group: 'Recording',
    keywords: 'minimum number count',
    questions: [
      {
        ask: 'At least',
        choices: [1, 5, 10, 50].map(choice),
        typed: (text) => (/^\d{1,9}$/.test(text) ? choice(Number(text)) : null),
      },
    ],
    apply: withMinimum(key),
  }
}

function withMinimum(key: MinimumKey): FilterKind['apply'] {
  return (search, [value]) => ({
    properties: [
      ...search.properties.filter((filter) => !isMinimum(filter, key)),
      { type: 'recording', key, operator: 'gte', value: Number(value) },
    ],
  })
}

function flag(label: string, key: string, choices: readonly Choice[]): FilterKind {
  return {
    label,
    group: 'Recording',
    questions: [{ ask: label, choices }],
    apply: (search, [value]) => ({
      properties: [
        ...search.properties.filter((filter) => filter.type !== 'recording' || filter.key !== key),
        { type: 'recording', key, operator: 'exact', value: value === 'true' },
      ],
    }),
  }
}

/** A filter on a property of the session's events. */
function ofEvents(
  { label, group, key, keywords = '' }: { label: string; group: string; key: string; keywords?: string },
  { operator, ...question }: Question & { operator: PropertyFilter['operator'] },
): FilterKind {
  return {
    label,
    group,
    keywords,
    questions: [question],
    apply: (search, [value = '']) => ({
      properties: [...search.properties, { type: 'event', key, operator, value }],
    }),
  }
}

function valuesOf(key: string, ask: string, labelOf?: Question['labelOf']) {
  return {
    ask,
    suggests: () => ({ key }),
    typed: exactly,
    operator: 'exact' as const,
    ...(labelOf && { labelOf }),
  }
}

const eventName: Question = { ask: 'Name of the event', suggests: () => ({ type: 'event' }), typed: exactly }

/** All kinds of filters, in their order. */
export const filterKinds: readonly FilterKind[] = [
  {
    label: 'Person',
    group: 'Visitor',
    keywords: 'visitor user id name e-mail email',
    questions: [
      {
        ask: 'Name, e-mail address or any id',
        suggestsPersons: true,
        typed: (text) => ({ value: text, label: `is “${text}”` }),
      },
    ],
    apply: (search, [value = '']) => ({ mentions: [...search.mentions, value] }),
  },
  ofEvents(
    { label: 'Browser', group: 'Visitor', key: '$browser' },
    valuesOf('$browser', 'Name of the browser'),
  ),
  ofEvents(
    { label: 'Country', group: 'Visitor', key: '$geoip_country_code', keywords: 'geo location' },
    valuesOf('$geoip_country_code', 'Code of the country, like DE', countryName),
  ),
  ofEvents(
    { label: 'Operating system', group: 'Visitor', key: '$os' },
    valuesOf('$os', 'Name of the operating system'),
  ),
  ofEvents(
    { label: 'Device', group: 'Visitor', key: '$device_type', keywords: 'mobile desktop tablet phone' },
    valuesOf('$device_type', 'Type of the device'),
  ),
  {
    label: 'Recorded on',
    group: 'Visitor',
    keywords: 'web mobile app source',
    questions: [{ ask: 'Recorded on', choices: snapshotSources.map(exactly) }],
    apply: (_, [value]) => ({ snapshot_source: snapshotSources.find((source) => source === value) }),
  },
  ofEvents(
    { label: 'Page visited', group: 'Activity', key: '$current_url', keywords: 'url path address' },
    {
      ask: 'Part of the page’s address',
      suggests: () => ({ key: '$pathname' }),
      typed: anyText,
      operator: 'icontains',
    },
  ),
  ofEvents(
    { label: 'Clicked text', group: 'Activity', key: '$el_text', keywords: 'button link element' },
    {
      ask: 'Text of the button or link',
      suggests: () => ({ key: '$el_text' }),
      typed: anyText,
      operator: 'icontains',
    },
  ),
  {
    label: 'Event',
    group: 'Activity',
    keywords: 'captured happened action',
    questions: [eventName],
    apply: (search, [id = '']) => ({ events: [...search.events, { id }] }),
  },
  {
    label: 'Event with a property',
    group: 'Activity',
    questions: [
      eventName,
      { ask: 'Name of the property', suggests: () => ({ type: 'property' }), typed: exactly },
      { ask: 'Value of the property', suggests: ([, key]) => ({ key }), typed: exactly },
    ],
    apply: (search, [id = '', key = '', value = '']) => ({
      events: [...search.events, { id, properties: [{ type: 'event', key, operator: 'exact', value }] }],
    }),
  },
  {
    label: 'Console text',
    group: 'Problems',
    keywords: 'message log error',
    questions: [{ ask: 'Part of a console message', typed: anyText }],
    apply: (search, [value = '']) => ({
      console_log_filters: [...search.console_log_filters, consoleFilter('message', value)],
    }),
  },
  {
    label: 'Console level',
    group: 'Problems',
    keywords: 'log warning error exception',
    questions: [{ ask: 'Level', choices: ['log', 'warn', 'error', 'exception'].map(exactly) }],
    apply: (search, [value = '']) => ({
      console_log_filters: [...search.console_log_filters, consoleFilter('level', value)],
    }),
  },
  failedRequest('Failed request’s host', 'host', { ask: 'Part of the host’s name', typed: anyText }),
  failedRequest('Failed request’s status', 'status', {
    ask: 'Status, or 0 if there was no response',
    choices: ['404', '500', '503', '0'].map(exactly),
    typed: (text) => (/^\d{1,3}$/.test(text) ? exactly(text) : null),
  }),
  minimumTime('Duration', 'recording_duration'),
  minimumTime('Active time', 'active_seconds'),
  minimumCount('Clicks', 'click_count'),
  minimumCount('Errors', 'console_error_count'),
  minimumCount('Failed requests', 'failed_request_count'),
  minimumCount('Rage clicks', 'rage_click_count'),
  {
    label: 'Outcome',
    group: 'Recording',
    keywords: 'completed left error end',
    questions: [
      {
        ask: 'How the recording ended',
        choices: [
          { value: 'completed', label: 'completed' },
          { value: 'left', label: 'left before completing anything' },
          { value: 'error', label: 'ended with an error' },
        ],
      },
    ],
    apply: (search, [value = '']) => ({
      properties: [
        ...search.properties.filter((filter) => filter.type !== 'recording' || filter.key !== 'outcome'),
        { type: 'recording', key: 'outcome', operator: 'exact', value },
      ],
    }),
  },
  flag('Watched', 'viewed', yesOrNo('watched', 'not watched')),
  flag('Kept', 'kept', yesOrNo('kept', 'not kept')),
  flag('Noted', 'noted', yesOrNo('with a note', 'without notes')),
  flag('Shared', 'shared', yesOrNo('with a link that opens it', 'without a link that opens it')),
  {
    label: 'Collection',
    group: 'Recording',
    keywords: 'set list rule',
    questions: [
      { ask: 'Name of the collection', suggestsCollections: true, emptyText: 'No collection found.' },
    ],
    apply: (_, [value]) => ({ collection: value }),
  },
]

function failedRequest(label: string, key: RequestFilter['key'], question: Question): FilterKind {
  return {
    label,
    group: 'Problems',
    keywords: 'network http response',
    questions: [question],
    apply: (search, [value = '']) => ({
      failed_request_filters: [
        ...search.failed_request_filters.filter((filter) => filter.key !== key),
        key === 'host'
          ? { key, operator: 'icontains', value }
          : { key, operator: 'exact', value: Number(value) },
      ],
    }),
  }
}

/** Returns a console filter: levels match exactly, messages by substring. */
export function consoleFilter(key: 'level' | 'message', value: string): PropertyFilter {
  return { type: 'log_entry', key, value, operator: key === 'level' ? 'exact' : 'icontains' }
}

/** The filters that set a minimum. */
export const minimumKeys = [
  'recording_duration',
  'active_seconds',
  'click_count',
  'console_error_count',
  'failed_request_count',
  'rage_click_count',
] as const
export type MinimumKey = (typeof minimumKeys)[number]

export function isMinimum({ type, key, operator, value }: PropertyFilter, of: MinimumKey): boolean {
  return type === 'recording' && key === of && operator === 'gte' && Number.isFinite(Number(value ?? NaN))
}

/** Returns the change of the search that finds what a ticket's text names. */
export function searchForMentions(text: string): Partial<RecordingsSearch> {
  const { emails, ids, urls } = mentionsIn(text)
  return { search: '', mentions: [...emails, ...ids, ...urls] }
}
