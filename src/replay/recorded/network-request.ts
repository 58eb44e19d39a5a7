import { redactSecrets } from './redact-secrets.ts'
import {
  EventType,
  isFromPlugin,
  isObject,
  networkPlugin,
  objectsIn,
  readableData,
  type RecordedEvent,
} from './rrweb.ts'

/** A request of the recorded page, without secrets. Null: not recorded. */
export type NetworkRequest = {
  url: string
  method: string | null
  /** 0 for a response that the page was not allowed to read. */
  status: number | null
  /**
   * Whether the status is an error, or no response came. Only requests that the recorder observed itself have a method; timing
   * alone reports status 0 for other origins, even after success. An observed `fetch` with status 0 has an opaque response.
   */
  hasFailed: boolean
  /** Milliseconds since the epoch. */
  startedAt: number
  /** Milliseconds. */
  duration: number | null
  /** Bytes of the response's body, as transferred. */
  size: number | null
  /** What caused the request, such as `fetch`, `img` or `navigation`. */
  initiator: string
  /** Start times of the phases, in milliseconds since the request's start. */
  phases: Phases | null
  requestHeaders: Headers | null
  responseHeaders: Headers | null
  requestBody: string | null
  responseBody: string | null
}

export type Headers = Readonly<Record<string, string>>

const phaseKeys = [
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'secureConnectionStart',
  'connectEnd',
  'requestStart',
  'responseStart',
  'responseEnd',
] as const
/** Names as in the Resource Timing standard; a phase that did not happen or is unknown is missing. */
export type Phases = Partial<Record<(typeof phaseKeys)[number], number>>

/** Returns the event without secrets if the network plugin recorded it, else the event itself. */
export function redactNetworkEvent(event: RecordedEvent): RecordedEvent {
  const { type, timestamp, data } = event
  // No recorder compresses these events, so a compressed one is dropped.
  if (type === EventType.Plugin && typeof data === 'string') return { type, timestamp, data: {} }
  if (!isFromPlugin(event, networkPlugin)) return event
  const { payload } = readableData(event)
  return { ...event, data: { plugin: networkPlugin, payload: redactSecrets(payload) } }
}

/** Returns the requests in an event of the network plugin; [] for any other event. */
export function networkRequests(event: RecordedEvent): NetworkRequest[] {
  if (!isFromPlugin(event, networkPlugin)) return []
  return requestsIn(redactNetworkEvent(event)).flatMap(readRequest)
}

/**
 * Returns an event of the network plugin with only those requests that began after `start` and until `end`; null if none
 * did. The recorder reports requests later, those of a page's start even together.
 */
export function requestsWithin(
  event: RecordedEvent,
  { start, end }: { start: number; end: number },
): RecordedEvent | null {
  const within = requestsIn(event).filter(({ startedAt }) => startedAt > start && startedAt <= end)
  if (within.length === 0) return null
  const { payload } = readableData(event)
  const requests = within.map(({ request }) => request)
  return { ...event, data: { plugin: networkPlugin, payload: { ...Object(payload), requests } } }
}

/** Greatest difference (ms) between the time of an event and that of its last request, unless the event was moved. */
const reportDelayMsMax = 600_000

type StartedRequest = { request: Record<string, unknown>; startedAt: number }

/** Returns the requests in an event, whose time may have been changed since, for example to correct the sender's clock. */
function requestsIn(event: RecordedEvent): StartedRequest[] {
  const { payload } = readableData(event)
  const requests = objectsIn(isObject(payload) ? payload['requests'] : null)
  const times = requests.map((request) => timeOf(request['timestamp']))
  const latestTime = times.reduce<number>((latest, time) => Math.max(latest, time ?? latest), -Infinity)
  const move = event.timestamp - latestTime
  const isMoved = Number.isFinite(move) && Math.abs(move) > reportDelayMsMax
  return requests.map((request, index) => {
    const time = times[index] ?? null
    return { request, startedAt: time === null ? event.timestamp : time + (isMoved ? move : 0) }
  })
}

/** Other entries, such as `paint` and `serverTiming`, are not requests. A request without timing has no entry type. */
const requestEntries: ReadonlySet<unknown> = new Set([undefined, null, 'resource', 'navigation'])

function readRequest({ request, startedAt }: StartedRequest): NetworkRequest[] {
  const url = textOf(request['name'])
  if (!url || !requestEntries.has(request['entryType'])) return []
  const method = textOf(request['method'])?.toUpperCase() ?? null
  const initiator = textOf(request['initiatorType']) ?? textOf(request['entryType']) ?? ''
  const observed = statusOf(request['status'])
  const status = observed ?? statusOf(request['responseStatus'])
  return [
    {
      url,
      method,
      status,
      hasFailed: status ? status >= 400 : method !== null && !(initiator === 'fetch' && observed === 0),
      startedAt,
      duration: numberOf(request['duration']),
      size: sizeOf(request),
      initiator,
      phases: phasesOf(request),
      requestHeaders: headersOf(request['requestHeaders']),
      responseHeaders: headersOf(request['responseHeaders']),
      requestBody: textOf(request['requestBody']),
      responseBody: textOf(request['responseBody']),
    },
  ]
}

/** Resource timing reports 0 for unknown values. */
function sizeOf(request: Record<string, unknown>): number | null {
  const sizes = [request['transferSize'], request['encodedBodySize'], request['decodedBodySize']]
  return sizes.map(numberOf).find((size) => size !== null && size > 0) ?? null
}

function phasesOf(request: Record<string, unknown>): Phases | null {
  const start = numberOf(request['startTime'])
  if (start === null) return null
  const known = phaseKeys.flatMap((key) => {
    const at = numberOf(request[key])
    return at === null || at < start ? [] : [[key, at - start] as const]
  })
  return known.length > 0 ? Object.fromEntries(known) : null
}

function headersOf(value: unknown): Headers | null {
  if (!isObject(value)) return null
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => [
      name,
      typeof given === 'string' ? given : JSON.stringify(given),
    ]),
  )
}

function statusOf(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 999 ? Number(value) : null
}

/** Times further from now are errors; a `Date` may not be able to hold them. */
const latest = Date.UTC(2100, 0, 1)

function timeOf(value: unknown): number | null {
  const time = numberOf(value)
  return time !== null && time < latest ? time : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
