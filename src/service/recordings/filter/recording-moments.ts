import type { PropertyFilter, RecordingFilter } from '../../../contract/recordings/recording-filter.ts'
import type { MatchedMoment, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { isCalled, visitName } from '../../../contract/recordings/visit-name.ts'
import type { Visit } from '../../../contract/recordings/visit.ts'
import { durationText } from '../facts/english.ts'

type Reasons = readonly MatchedMoment[]

/** Returns the reasons that the recording itself and the facts of its visit give. */
export function reasonsOf(recording: SessionRecording, filter: RecordingFilter): Reasons {
  const { properties = [], failed_request_filters: requests = [] } = filter
  return [
    ...properties.flatMap((property) => {
      if (property.type === 'person') return personProperty(recording, property)
      return property.type === 'recording' ? (ofKey.get(property.key)?.(recording) ?? []) : []
    }),
    ...(requests.length > 0 ? problemsOr(recording, 'request', recording.failed_request_count) : []),
    ...(filter.snapshot_source ? reason(`recorded on ${filter.snapshot_source}`) : []),
    ...namesIn(recording, filter),
  ]
}

/** Returns a property's key as words: `$geoip_country_code` becomes `country`. */
export function propertyWords(key: string): string {
  return key === '$geoip_country_code' ? 'country' : key.replace(/^\$/, '').replaceAll('_', ' ')
}

function reason(label: string, at: number | null = null): Reasons {
  return [{ at, label }]
}

/** The reasons of filters on the recording's own properties, by key. */
const ofKey = new Map<string, (recording: SessionRecording) => Reasons>(
  Object.entries({
    recording_duration: (recording) => lasted(recording),
    duration: (recording) => lasted(recording),
    active_seconds: ({ active_seconds: seconds }) => reason(`active for ${durationText(seconds * 1000)}`),
    inactive_seconds: ({ inactive_seconds: seconds }) => reason(`idle for ${durationText(seconds * 1000)}`),
    click_count: ({ click_count: count }) => reason(counted(count, 'click')),
    keypress_count: ({ keypress_count: count }) => reason(counted(count, 'key')),
    mouse_activity_count: ({ mouse_activity_count: count }) => reason(counted(count, 'mouse event')),
    console_log_count: ({ console_log_count: count }) => reason(counted(count, 'console message')),
    console_warn_count: ({ console_warn_count: count }) => reason(counted(count, 'warning')),
    console_error_count: (recording) => problemsOr(recording, 'error', recording.console_error_count),
    failed_request_count: (recording) => problemsOr(recording, 'request', recording.failed_request_count),
    rage_click_count: (recording) => problemsOr(recording, 'rage', null),
    left_form: (recording) => problemsOr(recording, 'form', null),
    start_url: ({ start_url: url }) => reason(`began at ${url}`, 0),
    distinct_id: ({ distinct_id: id }) => reason(`id ${id}`),
    snapshot_source: ({ snapshot_source: source }) => reason(`recorded on ${source}`),
    outcome: ({ visit }) => (visit ? [visit.outcome] : []),
    browser: ({ visit }) => named('browser', visit?.browser),
    device: ({ visit }) => named('device', visit?.device),
    country: ({ visit }) => named('country', visit?.country),
    viewed: ({ viewed }) => reason(viewed === '' ? 'not watched' : 'watched'),
    kept: ({ storage }) => reason(storage === 'object_storage_lts' ? 'kept' : 'not kept'),
    shared: ({ shared }) => reason(shared ? 'shared' : 'not shared'),
    ongoing: ({ ongoing }) => reason(ongoing ? 'live' : 'not live'),
    noted: ({ note_count: count }) => (count === 0 ? reason('without notes') : []),
  }),
)

function lasted({ recording_duration: seconds }: SessionRecording): Reasons {
  return reason(`lasted ${durationText(seconds * 1000)}`)
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

function named(name: string, value: string | null | undefined): Reasons {
  return value ? reason(`${name}: ${value}`) : []
}

const nouns: Record<Visit['problems'][number]['kind'], string> = {
  error: 'error',
  request: 'failed request',
  rage: 'rage click',
  form: 'form left',
}

/** Returns the moments of these problems, or their number if the facts do not contain them. */
function problemsOr({ visit }: SessionRecording, kind: keyof typeof nouns, count: number | null): Reasons {
  const found = visit?.problems.filter((problem) => problem.kind === kind) ?? []
  return found.length > 0 || count === null ? found : reason(counted(count, nouns[kind]))
}

function personProperty({ person }: SessionRecording, { key }: PropertyFilter): Reasons {
  const value = person.properties[key]
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? reason(`${propertyWords(key)}: ${value}`) : []
}

/** Returns which name, id or address of the visit the search or a mention names. */
function namesIn(recording: SessionRecording, filter: RecordingFilter): Reasons {
  const { search, mentions = [], distinct_ids: ids, person_uuid: uuid } = filter
  const { person, distinct_id: distinctId, start_url: url } = recording
  if (ids || uuid) return reason(`person ${person.name ?? distinctId}`)
  const parts = [...(search ? [search] : []), ...mentions].map((text) => text.toLowerCase())
  if (parts.length === 0) return []
  const names = (text: string) => parts.some((part) => text.toLowerCase().includes(part))
  const known = [distinctId, ...(JSON.parse(person.distinct_ids) as string[])]
  const id = [recording.id, ...known].find(names)
  const called = parts.some((part) => isCalled(part, person.name, distinctId))
  const name = called ? visitName(person.name, distinctId) : person.name
  return [
    ...(names(url) ? reason(`began at ${url}`, 0) : []),
    ...(name !== null && (called || names(name)) ? reason(`person ${name}`) : id ? reason(`id ${id}`) : []),
  ]
}
