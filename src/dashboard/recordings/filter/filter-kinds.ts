import type { PropertyFilter, RequestFilter } from '../../../contract/recordings/recording-filter.ts'
import { snapshotSources } from '../../../contract/recordings/snapshot-source.ts'
import type { QueryInput } from '../../../contract/endpoints.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { counted } from '../../format/amount.ts'
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

const anyText = (text: string): Choice => ({ value: text, label: `contains “${text}”` })
const exactly = (text: string): Choice => ({ value: text, label: text })

/** Properties of events that people know by other names. */
export const eventPropertyLabels = {
  $browser: 'Browser',
  $geoip_country_code: 'Country',
  $os: 'Operating system',
  $device_type: 'Device',
  $current_url: 'Page visited',
  $el_text: 'Clicked text',
}

/**
 * A filter on a property of the session's events: the visitor's, compared exactly, or a part of what the visitor acted on.
 */
function ofEvents(
  key: keyof typeof eventPropertyLabels,
  operator: 'exact' | 'icontains',
  question: Question,
  keywords = '',
): FilterKind {
  const isExact = operator === 'exact'
  return {
    label: eventPropertyLabels[key],
    group: isExact ? 'Visitor' : 'Activity',
    keywords,
    questions: [{ suggests: () => ({ key }), typed: isExact ? exactly : anyText, ...question }],
    apply: ({ properties }, [value = '']) => ({
      properties: [...properties, { type: 'event', key, operator, value }],
    }),
  }
}

/** Sets a filter on a field of the recording, instead of one that contradicts it. */
function ofRecording(
  key: string,
  operator: 'exact' | 'gte',
  read: (answer: string) => string | number | boolean,
): FilterKind['apply'] {
  const isOther = (filter: PropertyFilter) =>
    filter.type !== 'recording' || filter.key !== key || (operator === 'gte' && filter.operator !== operator)
  return ({ properties }, [value = '']) => ({
    properties: [...properties.filter(isOther), { type: 'recording', key, operator, value: read(value) }],
  })
}

function flag(label: string, key: string, yes: string, no: string): FilterKind {
  const choices = Object.entries({ true: yes, false: no }).map(([value, words]) => ({ value, label: words }))
  return {
    label,
    group: 'Recording',
    questions: [{ ask: label, choices }],
    apply: ofRecording(key, 'exact', (value) => value === 'true'),
  }
}

/** A minimum of each of these numbers of a recording, in words. */
export const minimumWords = {
  recording_duration: (value: number) => `${duration(value * 1000)} long`,
  active_seconds: (value: number) => `${duration(value * 1000)} active`,
  click_count: (value: number) => counted(value, 'click'),
  console_error_count: (value: number) => counted(value, 'error'),
  failed_request_count: (value: number) => counted(value, 'failed request'),
  rage_click_count: (value: number) => counted(value, 'rage click'),
}
type MinimumKey = keyof typeof minimumWords

/** Whether a filter sets a minimum that can be said in words. */
export function isMinimum(filter: PropertyFilter): filter is PropertyFilter & { key: MinimumKey } {
  const { type, key, operator, value } = filter
  return (
    type === 'recording' && key in minimumWords && operator === 'gte' && Number.isFinite(Number(value ?? NaN))
  )
}

const times = {
  ask: 'At least, for example 90 s or 5 min',
  keywords: 'minimum long short length time',
  usual: [10, 60, 300, 600, 1800],
  read: readSeconds,
  inWords: (seconds: number) => duration(seconds * 1000),
}
const counts: typeof times = {
  ask: 'At least',
  keywords: 'minimum number count',
  usual: [1, 5, 10, 50],
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
  inWords: String,
}

function minimum(label: string, key: MinimumKey, of: typeof times): FilterKind {
  const choice = (number: number) => ({ value: String(number), label: `at least ${of.inWords(number)}` })
  const typed = (text: string) => {
    const number = of.read(text)
    return number === null ? null : choice(number)
  }
  return {
    label,
    group: 'Recording',
    keywords: of.keywords,
    questions: [{ ask: of.ask, choices: of.usual.map(choice), typed }],
    apply: ofRecording(key, 'gte', Number),
  }
}

/** Reads a typed number of seconds (`90`, `90s`), minutes (`5 min`) or hours (`1h`); null for any other text. */
export function readSeconds(text: string): number | null {
  const [, number, unit = 's'] = /^(\d{1,6}(?:\.\d+)?)\s*(s|m|h)?(?:ec|in|ours?|inutes?)?$/i.exec(text) ?? []
  const seconds = { s: 1, m: 60, h: 3600 }[unit.toLowerCase()] ?? 1
  return number === undefined ? null : Math.round(Number(number) * seconds)
}

function failedRequest(key: RequestFilter['key'], question: Question): FilterKind {
  return {
    label: `Failed request’s ${key}`,
    group: 'What went wrong',
    keywords: 'network http response',
    questions: [question],
    apply: ({ failed_request_filters: filters }, [value = '']) => ({
      failed_request_filters: [
        ...filters.filter((filter) => filter.key !== key),
        key === 'host'
          ? { key, operator: 'icontains', value }
          : { key, operator: 'exact', value: Number(value) },
      ],
    }),
  }
}

function inConsole(
  key: 'level' | 'message',
  label: string,
  keywords: string,
  question: Question,
): FilterKind {
  return {
    label,
    group: 'What went wrong',
    keywords,
    questions: [question],
    apply: ({ console_log_filters: filters }, [value = '']) => ({
      console_log_filters: [...filters, consoleFilter(key, value)],
    }),
  }
}

/** Returns a console filter: levels match exactly, messages by substring. */
export function consoleFilter(key: 'level' | 'message', value: string): PropertyFilter {
  return { type: 'log_entry', key, value, operator: key === 'level' ? 'exact' : 'icontains' }
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
  ofEvents('$browser', 'exact', { ask: 'Name of the browser' }),
  ofEvents(
    '$geoip_country_code',
    'exact',
    { ask: 'Code of the country, like DE', labelOf: countryName },
    'geo location',
  ),
  ofEvents('$os', 'exact', { ask: 'Name of the operating system' }),
  ofEvents('$device_type', 'exact', { ask: 'Type of the device' }, 'mobile desktop tablet phone'),
  {
    label: 'Recorded on',
    group: 'Visitor',
    keywords: 'web mobile app source',
    questions: [{ ask: 'Recorded on', choices: snapshotSources.map(exactly) }],
    apply: (_, [value]) => ({ snapshot_source: snapshotSources.find((source) => source === value) }),
  },
  ofEvents(
    '$current_url',
    'icontains',
    { ask: 'Part of the page’s address', suggests: () => ({ key: '$pathname' }) },
    'url path address',
  ),
  ofEvents('$el_text', 'icontains', { ask: 'Text of the button or link' }, 'button link element'),
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
  inConsole('message', 'Console text', 'message log error', {
    ask: 'Part of a console message',
    typed: anyText,
  }),
  inConsole('level', 'Console level', 'log warning error exception', {
    ask: 'Level',
    choices: ['log', 'warn', 'error', 'exception'].map(exactly),
  }),
  failedRequest('host', { ask: 'Part of the host’s name', typed: anyText }),
  failedRequest('status', {
    ask: 'Status, or 0 if there was no response',
    choices: ['404', '500', '503', '0'].map(exactly),
    typed: (text) => (/^\d{1,3}$/.test(text) ? exactly(text) : null),
  }),
  minimum('Duration', 'recording_duration', times),
  minimum('Active time', 'active_seconds', times),
  minimum('Clicks', 'click_count', counts),
  minimum('Errors', 'console_error_count', counts),
  minimum('Failed requests', 'failed_request_count', counts),
  minimum('Rage clicks', 'rage_click_count', counts),
  {
    label: 'Outcome',
    group: 'Recording',
    keywords: 'completed left error end',
    questions: [
      {
        ask: 'How the recording ended',
        choices: [
          exactly('completed'),
          { value: 'left', label: 'left before completing anything' },
          { value: 'error', label: 'ended with an error' },
        ],
      },
    ],
    apply: ofRecording('outcome', 'exact', String),
  },
  flag('Watched', 'viewed', 'watched', 'not watched'),
  flag('Kept', 'kept', 'kept', 'not kept'),
  flag('Noted', 'noted', 'with a note', 'without notes'),
  flag('Shared', 'shared', 'with a link that opens it', 'without a link that opens it'),
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
