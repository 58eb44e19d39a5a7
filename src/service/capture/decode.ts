import { isObject } from '../../replay/recorded/rrweb.ts'
import { newId } from '../store/schema/identifier.ts'
import { CaptureError } from './capture-error.ts'
import { elementsChain } from './elements-chain.ts'
import { eventTime, readTime } from './event-time.ts'
import { safeJson, safeText } from '../engines/safe-text.ts'
import { personChange, type PersonChange } from './persons/person-change.ts'
import { keepsAll, withoutPrivateProperties, type CapturePrivacy } from './private-values.ts'
import { clientUuid } from './persons/person-id.ts'
import { bodyLimit, depthOf, eventsMax, readBody, tooManyEvents, type Body } from './read-body.ts'
import { replayItem, type ReplayItem } from './replay/replay-item.ts'

/** An event ready for the warehouse, with the change it makes to its person. */
export type DecodedEvent = {
  uuid: string
  event: string
  distinctId: string
  /** Milliseconds since the epoch. */
  timestamp: number
  /** JSON object as text. */
  properties: string
  sessionId: string
  elementsChain: string
  change: PersonChange | null
}

/** Decoded content of one capture request. */
export type Capture = { token: string; events: DecodedEvent[]; replay: ReplayItem[] }

export type CaptureRequest = {
  body: Uint8Array
  path: string
  /** `sent_at` (formerly `_`): send time by the client's clock, as epoch milliseconds or ISO 8601. */
  query: { sent_at?: unknown; _?: unknown }
  /** Of the project; without it, everything is kept. */
  privacy?: CapturePrivacy
}

type Item = Record<string, unknown>

const textLengthMax = 200
const eventDepthMax = 128
/** Stored bytes of a request's replay. May exceed `bodyLimit`: each line repeats the window id, and numbers expand. */
const replayBytesMax = 2 * bodyLimit

/**
 * Decodes a request from any version of posthog-js or another PostHog client, in any encoding.
 * @param now time of receipt, in milliseconds.
 * @throws CaptureError 400, 401 or 413; one invalid event rejects the whole request.
 */
export async function decodeCapture(request: CaptureRequest, now: number): Promise<Capture> {
  return decodeBody(await readBody(request.body), request, now)
}

/** Like `decodeCapture`, for a body that has been read. */
export function decodeBody(body: Body, request: Omit<CaptureRequest, 'body'>, now: number): Capture {
  const { items, wrapper } = itemsOf(body.value)
  const { privacy = keepsAll } = request
  if (items.length === 0) throw new CaptureError(400, 'request holds no event')
  const token = tokenOf(items, wrapper)
  const sentAt = readTime(wrapper?.['sent_at'] ?? request.query.sent_at ?? request.query._)
  const defaultName = request.path.startsWith('/engage') ? '$identify' : ''
  const events: DecodedEvent[] = []
  const replay: ReplayItem[] = []
  let replaySize = 0
  let count = items.length
  for (const item of items) {
    const given = propertiesOf(item)
    const distinctId = distinctIdOf(item, given)
    const event = safeText(textOf(item['event']) || defaultName, textLengthMax)
    if (event === '') throw new CaptureError(400, 'event submitted without an event name')
    const uuid = item['uuid'] ?? given['$uuid']
    const itemSentAt = readTime(item['sent_at']) ?? sentAt
    if (event === '$snapshot') {
      count += lengthOf(given['$snapshot_data'])
      if (count > eventsMax) throw tooManyEvents()
      const timestamp = readTime(item['timestamp'])
      const offset = typeof item['offset'] === 'number' ? item['offset'] : 0
      const times = { sentAt: itemSentAt, timestamp, offset }
      const { sources } = body
      const sent = { token, uuid, properties: given, distinctId, ...times, privacy, sources }
      const replayed = replayItem(sent, replayBytesMax - replaySize, now)
      if (replayed) replay.push(replayed)
      replaySize += replayed?.size ?? 0
      continue
    }
    if (body.depth > eventDepthMax) assertShallow(item)
    const properties = withoutPrivateProperties(given, privacy)
    events.push({
      uuid: clientUuid(uuid) ?? newId(now),
      event,
      distinctId,
      timestamp: eventTime(item, itemSentAt, now),
      ...storedProperties(properties),
      change: personChange(event, distinctId, properties),
    })
  }
  return { token, events, replay }
}

function storedProperties(properties: Item) {
  const { $elements, $elements_chain: chain, ...others } = properties
  const kept = $elements === undefined && chain === undefined ? properties : others
  const elements =
    typeof chain === 'string' ? chain : Array.isArray($elements) ? elementsChain($elements) : ''
  return {
    properties: safeJson(kept),
    sessionId: safeText(textOf(properties['$session_id']), Infinity),
    elementsChain: safeText(elements, Infinity),
  }
}

function itemsOf(body: unknown): { items: Item[]; wrapper: Item | null } {
  const wrapper =
    isObject(body) && (Array.isArray(body['batch']) || Array.isArray(body['data'])) ? body : null
  const list = wrapper ? (wrapper['batch'] ?? wrapper['data']) : Array.isArray(body) ? body : [body]
  if (!Array.isArray(list) || !list.every(isObject))
    throw new CaptureError(400, 'failed to parse request: an event is not a JSON object')
  return { items: list, wrapper }
}

/** Finds the request's project token, on the batch or on its events; a request may name only one project. */
function tokenOf(items: readonly Item[], wrapper: Item | null): string {
  let token = wrapper ? tokenAt(wrapper) : ''
  for (const item of items) {
    const properties = item['properties']
    const own = tokenAt(item) || (isObject(properties) ? textOf(properties['token']) : '')
    if (token !== '' && own !== '' && own !== token && !wrapper)
      throw new CaptureError(401, 'batch submitted with inconsistent api_key values')
    token ||= own
  }
  if (token === '') throw new CaptureError(401, 'event submitted without an api_key')
  return token
}

function tokenAt(item: Item): string {
  return textOf(item['token']) || textOf(item['$token']) || textOf(item['api_key'])
}

/** Returns the event's properties, with `$set` and `$set_once` from the event itself merged in and taking precedence. */
function propertiesOf(item: Item): Item {
  const properties = item['properties'] ?? {}
  if (!isObject(properties))
    throw new CaptureError(400, 'failed to parse request: properties is not a JSON object')
  const { $set, $set_once: setOnce } = item
  if (!isObject($set) && !isObject(setOnce)) return properties
  return {
    ...properties,
    ...(isObject($set) && { $set: merged(properties['$set'], $set) }),
    ...(isObject(setOnce) && { $set_once: merged(properties['$set_once'], setOnce) }),
  }
}

function merged(given: unknown, own: Item): Item {
  return isObject(given) ? { ...given, ...own } : own
}

function distinctIdOf(item: Item, properties: Item): string {
  const value =
    item['distinct_id'] ??
    item['$distinct_id'] ??
    properties['distinct_id'] ??
    properties['$distinct_id'] ??
    ''
  const text = safeText(typeof value === 'string' ? value : safeJson(value), textLengthMax)
  if (text === '') throw new CaptureError(400, 'event submitted without a distinct_id')
  return text
}

/** Rejects deeply nested events, which the engines behind queries and exports cannot read. */
function assertShallow(item: Item): void {
  const problem = `failed to parse request: an event is nested more than ${eventDepthMax} levels deep`
  if (depthOf(JSON.stringify(item)) > eventDepthMax) throw new CaptureError(400, problem)
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 1
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
