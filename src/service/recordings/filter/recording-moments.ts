import type { PropertyFilter, RecordingFilter } from '../../../contract/recordings/recording-filter.ts'
import type { MatchedMoment, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { isCalled, visitorName } from '../../../contract/recordings/visitor-name.ts'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import { durationText } from '../facts/english.ts'

type Moments = readonly MatchedMoment[]

/** Returns the moments that the recording itself and its facts give. */
export function momentsOf(recording: SessionRecording, filter: RecordingFilter): Moments {
  const { properties = [], failed_request_filters: requests = [] } = filter
  return [
    ...properties.flatMap((property) => {
      if (property.type === 'person') return personProperty(recording, property)
      return property.type === 'recording' ? (ofKey.get(property.key)?.(recording) ?? []) : []
    }),
    ...(requests.length > 0 ? problemsOr(recording, 'request', recording.failed_request_count) : []),
    ...(filter.snapshot_source ? moment(`recorded on ${filter.snapshot_source}`) : []),
    ...namesIn(recording, filter),
  ]
}

/** Returns a property's key as words: `$geoip_country_code` becomes `country`. */
export function propertyWords(key: string): string {
  return key === '$geoip_country_code' ? 'country' : key.replace(/^\$/, '').replaceAll('_', ' ')
}

function moment(label: string, at: number | null = null): Moments {
  return [{ at, label }]
}

/** The moments of filters on the recording's own properties, by key. */
const ofKey = new Map<string, (recording: SessionRecording) => Moments>(
  Object.entries({
    recording_duration: (recording) => lasted(recording),
    duration: (recording) => lasted(recording),
    active_seconds: ({ active_seconds: seconds }) => moment(`active for ${durationText(seconds * 1000)}`),
    inactive_seconds: ({ inactive_seconds: seconds }) => moment(`idle for ${durationText(seconds * 1000)}`),
    click_count: ({ click_count: count }) => moment(counted(count, 'click')),
    keypress_count: ({ keypress_count: count }) => moment(counted(count, 'key')),
    mouse_activity_count: ({ mouse_activity_count: count }) => moment(counted(count, 'mouse event')),
    console_log_count: ({ console_log_count: count }) => moment(counted(count, 'console message')),
    console_warn_count: ({ console_warn_count: count }) => moment(counted(count, 'warning')),
    console_error_count: (recording) => problemsOr(recording, 'error', recording.console_error_count),
    failed_request_count: (recording) => problemsOr(recording, 'request', recording.failed_request_count),
    rage_click_count: (recording) => problemsOr(recording, 'rage', null),
    left_form: (recording) => problemsOr(recording, 'form', null),
    start_url: ({ start_url: url }) => moment(`began at ${url}`, 0),
    distinct_id: ({ distinct_id: id }) => moment(`id ${id}`),
    snapshot_source: ({ snapshot_source: source }) => moment(`recorded on ${source}`),
    outcome: ({ facts }) => (facts ? [facts.outcome] : []),
    browser: ({ facts }) => named('browser', facts?.browser),
    device: ({ facts }) => named('device', facts?.device),
    country: ({ facts }) => named('country', facts?.country),
    viewed: ({ viewed }) => moment(viewed === '' ? 'not watched' : 'watched'),
    kept: ({ storage }) => moment(storage === 'object_storage_lts' ? 'kept' : 'not kept'),
    shared: ({ shared }) => moment(shared ? 'shared' : 'not shared'),
    ongoing: ({ ongoing }) => moment(ongoing ? 'live' : 'not live'),
    noted: ({ note_count: count }) => (count === 0 ? moment('without notes') : []),
  }),
)

function lasted({ recording_duration: seconds }: SessionRecording): Moments {
  return moment(`lasted ${durationText(seconds * 1000)}`)
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

function named(name: string, value: string | null | undefined): Moments {
  return value ? moment(`${name}: ${value}`) : []
}

const nouns: Record<RecordingFacts['problems'][number]['kind'], string> = {
  error: 'error',
  request: 'failed request',
  rage: 'rage click',
  form: 'form left',
}

/** Returns the moments of these problems, or their number if the facts do not contain them. */
function problemsOr({ facts }: SessionRecording, kind: keyof typeof nouns, count: number | null): Moments {
  const found = facts?.problems.filter((problem) => problem.kind === kind) ?? []
  return found.length > 0 || count === null ? found : moment(counted(count, nouns[kind]))
}

function personProperty({ person }: SessionRecording, { key }: PropertyFilter): Moments {
  const value = person.properties[key]
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? moment(`${propertyWords(key)}: ${value}`) : []
}

/** Returns the name, id or address of the recording that the search or a mention matches. */
function namesIn(recording: SessionRecording, filter: RecordingFilter): Moments {
  const { search, mentions = [], distinct_ids: ids, person_uuid: uuid } = filter
  const { person, distinct_id: distinctId, start_url: url } = recording
  if (ids || uuid) return moment(`person ${person.name ?? distinctId}`)
  const parts = [...(search ? [search] : []), ...mentions].map((text) => text.toLowerCase())
  if (parts.length === 0) return []
  const names = (text: string) => parts.some((part) => text.toLowerCase().includes(part))
  const known = [distinctId, ...(JSON.parse(person.distinct_ids) as string[])]
  const id = [recording.id, ...known].find(names)
  const called = parts.some((part) => isCalled(part, person.name, distinctId))
  const name = called ? visitorName(person.name, distinctId) : person.name
  return [
    ...(names(url) ? moment(`began at ${url}`, 0) : []),
    ...(name !== null && (called || names(name)) ? moment(`person ${name}`) : id ? moment(`id ${id}`) : []),
  ]
}
