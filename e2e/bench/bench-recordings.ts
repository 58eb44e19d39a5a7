import { join } from 'node:path'
import { recordingOrders } from '../../src/contract/recordings/recording-filter.ts'
import { receive, responseTime } from './response-time.ts'
import type { Figure } from './bench-figure.ts'
import { collections, fillRecordings } from './bench-recordings-fill.ts'
import { keptData } from './kept-data.ts'
import { startService } from '../service.ts'

const recordings = 1_000_000
const rounds = 30
/** Rounds with few recordings, which only show how times grow. */
const fewRounds = 10
const listMsMax = 20
/** Rounds of requesting every list in turn, and the bound (ms) of their p95: the processor's caches hold another list's data. */
const turns = 8
const turnMsMax = 30
/** Of a search for one of the two words that name unnamed visitors, which names one visitor in 32. */
const wordMsMax = 50
/** Clients that send other filters meanwhile, and how much slower a filter may then be. */
const busyClients = 4
const busyFactorMax = 3
/** Rounds beside busy clients: each takes several times as long. */
const busyRounds = 20
/** Filters that are measured again meanwhile: the slowest. */
const busyFilters = 5
const retrieveMsMax = 10
const countsMsMax = 200

type Query = Record<string, unknown>
type Client = { request: (path: string) => Promise<void>; firstId: () => Promise<string> }

const clicked = { type: 'recording', key: 'click_count', operator: 'gt', value: 90 }
const placed = { events: [{ id: 'order placed' }] }

function visited(part: string): Query {
  return { properties: [{ key: '$current_url', operator: 'icontains', value: part }] }
}

function own(key: string, value: string | number | boolean, operator = 'exact'): Query {
  return { properties: [{ type: 'recording', key, operator, value }] }
}

function consoleText(part: string): Query {
  return { console_log_filters: [{ key: 'message', operator: 'icontains', value: part }] }
}

const oneWord = "one of visitors' two words"

/** Every filter; where the size of the result matters, once with few and once with many matches. */
export const filters: Record<string, Query> = {
  'a search with few matches': { search: 'visitor777' },
  'a search with many matches': { search: 'shop.example' },
  'a search for names with many matches': { search: 'mail' },
  "a visitor's two words": { search: 'amber heron' },
  [oneWord]: { search: 'amber' },
  'the distinct ids of a person': { distinct_ids: ['visitor-501'] },
  'a snapshot source': { snapshot_source: 'mobile' },
  'a day': { date_from: '-9d', date_to: '-8d' },
  'a number of clicks': { properties: [clicked] },
  'a property that few persons have': { properties: [{ type: 'person', key: 'plan', value: 'enterprise' }] },
  'a property that most persons have': { properties: [{ type: 'person', key: 'plan', value: 'free' }] },
  'an event that few sessions have': { events: [{ id: 'refund requested' }] },
  'an event that some sessions have': placed,
  'an event that all sessions have': { events: [{ id: '$pageview' }] },
  'a property that few events have': { properties: [{ key: 'plan', value: 'enterprise' }] },
  'a property that many events have': { properties: [{ key: '$browser', value: 'Chrome' }] },
  'a console level': { console_log_filters: [{ key: 'level', value: 'error' }] },
  'a console message that few logged': consoleText('declined'),
  'a console message that most logged': consoleText('rendered'),
  'a failed request': own('failed_request_count', 1, 'gte'),
  'many failed requests': own('failed_request_count', 50, 'gte'),
  'a host that rarely failed': { failed_request_filters: [{ key: 'host', value: 'pay.example' }] },
  'a host and a status that often failed': {
    failed_request_filters: [
      { key: 'host', operator: 'icontains', value: 'api1' },
      { key: 'status', operator: 'gte', value: 500 },
    ],
  },
  'part of a visited page': visited('/products/41'),
  'part of a page that most visited': visited('shop.example'),
  'a clicked text that is rare': {
    properties: [{ key: '$el_text', operator: 'icontains', value: 'redeem' }],
  },
  'a clicked text that is frequent': {
    properties: [{ key: '$el_text', operator: 'icontains', value: 'lamp' }],
  },
  'watched recordings': own('viewed', true),
  'unwatched recordings': own('viewed', false),
  'kept recordings': own('kept', true),
  'recordings that are not kept': own('kept', false),
  'noted recordings': own('noted', true),
  'recordings without notes': own('noted', false),
  'the text of few notes': { search: 'refund' },
  'the text of many notes': { search: 'looked at' },
  'shared recordings': own('shared', true),
  'recordings that are not shared': own('shared', false),
  'a collection made by hand': { collection: collections.byHand },
  'a collection by a rule': { collection: collections.byRule },
  'live recordings': own('ongoing', true),
  'rage clicks': own('rage_click_count', 1, 'gte'),
  'a form that was left': own('left_form', true),
  'an outcome': own('outcome', 'error'),
  'a browser': own('browser', 'Firefox'),
  'a country': own('country', 'DE'),
  'a country of few': own('country', 'IS'),
  'a country of many events': { properties: [{ key: '$geoip_country_code', value: 'DE' }] },
  'a country of few events': { properties: [{ key: '$geoip_country_code', value: 'IS' }] },
  'the longest recordings': own('recording_duration', 1795, 'gte'),
  'recordings of a minute': own('recording_duration', 60, 'gte'),
  'the longest activity': own('active_seconds', 1790, 'gte'),
  'five minutes of activity': own('active_seconds', 300, 'gte'),
  phones: own('device', 'mobile'),
  yesterday: { date_from: '-1dStart', date_to: '-1dEnd' },
  'mentions of a person, a session and a page': {
    mentions: ['visitor777@mail27.example', 'visitor-501', 'https://shop.example/products/41'],
  },
  'the uuid of nobody': { person_uuid: '00000000-0000-4000-8000-000000000000' },
  'an action': { actions: [{ id: 1, name: 'order placed' }] },
  'an event with a property': {
    events: [{ id: 'order placed', properties: [{ key: 'price', operator: 'gt', value: 890 }] }],
  },
  'two events': { events: [{ id: 'order placed' }, { id: '$pageview' }] },
  'an event and a day': { ...placed, date_from: '-9d', date_to: '-8d' },
  'an event, by clicks': { ...placed, order: 'click_count' },
  'a search, by clicks': { search: 'visitor777', order: 'click_count' },
  'an event and a week': { ...placed, date_from: '-7d' },
  'page 2,001': { offset: 100_000 },
}

/**
 * Measures the 95th percentile of listing a million recordings in each order and with each filter, the slowest first, and of
 * retrieving one. Warm-up requests fill the service's caches of list lengths and samples, as a first page does.
 */
export async function recordingFigures(): Promise<Figure[]> {
  const few = await withRecordings('few-recordings', recordings / 100, (client) =>
    timesOfLists(client, fewRounds),
  )
  return await withRecordings('recordings', recordings, (client) => measure(client, few))
}

/** Runs a service with `count` recordings. */
async function withRecordings<Result>(
  name: string,
  count: number,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const source = join(import.meta.dirname, 'bench-recordings-fill.ts')
  const { dataDirectory, known: tenant } = await keptData(name, source, (folder) =>
    fillRecordings(folder, count),
  )
  const env = { SPOOL_RATE_LIMIT: '0', SPOOL_ROLES: 'serve' }
  const service = await startService({ dataDirectory, env })
  try {
    const list = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/`
    const headers = { authorization: `Bearer ${tenant.api_key}` }
    return await use({
      // Parsing responses would make this process collect garbage, whose pauses would count as response time.
      request: (path) => receive(`${list}${path}`, headers),
      async firstId() {
        const response = await fetch(`${list}?limit=1`, { headers })
        const { results } = (await response.json()) as { results: { id: string }[] }
        return results[0]?.id ?? ''
      },
    })
  } finally {
    await service.stop()
  }
}

/** Orders and filters by name. */
const paths = [
  ...recordingOrders.flatMap((order) =>
    ['ASC', 'DESC'].map((order_direction) => ({
      name: `by ${order} ${order_direction}`,
      path: search({ order, order_direction }),
    })),
  ),
  ...Object.entries(filters).map(([name, query]) => ({ name, path: search(query) })),
]

function listRequests({ request }: Client): (() => Promise<void>)[] {
  return paths.map((each) => () => request(each.path))
}

/** Returns the 95th percentile (ms) of each path, whose requests are sent one after another. */
async function timesOfLists({ request }: Client, count: number): Promise<Map<string, number>> {
  // Warms the service up, and its caches for every list.
  for (const { path } of paths) await request(path)
  const times = new Map<string, number>()
  for (const { path } of paths) times.set(path, await responseTime(count, 0.95, () => request(path)))
  return times
}

/** @param few times (ms) of each path with a hundredth of the recordings */
async function measure(client: Client, few: Map<string, number>): Promise<Figure[]> {
  const { request } = client
  const figure = async (name: string, bound: number, path: string, requests = rounds): Promise<Figure> => ({
    name: `${name}, p95`,
    measured: await responseTime(requests, 0.95, () => request(path)),
    bound,
    unit: 'ms',
  })
  const times = await timesOfLists(client, rounds)
  const requests = listRequests(client)
  const inTurn: Figure = {
    name: `recordings: ${requests.length} lists in turn, p95 of all`,
    measured: await responseTime(turns * requests.length, 0.95, async (sent) =>
      requests[sent % requests.length]?.(),
    ),
    bound: turnMsMax,
    unit: 'ms',
  }
  const lists = paths.map(({ name, path }) => {
    const quiet: Figure = {
      name: `recordings: ${name}, p95`,
      measured: times.get(path) ?? NaN,
      bound: name === oneWord ? wordMsMax : listMsMax,
      unit: 'ms',
      hundredth: few.get(path),
    }
    return { path, quiet }
  })
  const slowest = lists.toSorted((one, other) => other.quiet.measured - one.quiet.measured)
  const busy: Figure[] = []
  await whileBusy(requests, async () => {
    for (const { path, quiet } of slowest.slice(0, busyFilters)) {
      const name = quiet.name.replace(', p95', ` beside ${busyClients} busy clients`)
      busy.push(await figure(name, busyFactorMax * quiet.bound, path, busyRounds))
    }
  })
  const counts = await figure('counts of the quick filters', countsMsMax, 'quick_counts/')
  const one = await figure('a recording', retrieveMsMax, `${await client.firstId()}/`)
  return [...slowest.map(({ quiet }) => quiet), inTurn, ...busy, counts, one]
}

/** Measures while clients send the requests, one after the other, each from another place of the list. */
async function whileBusy(requests: (() => Promise<unknown>)[], measured: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  const clients = Array.from({ length: busyClients }, async (_, client) => {
    const from = Math.floor((client * requests.length) / busyClients)
    for (let sent = from; !over.signal.aborted; sent += 1) await requests[sent % requests.length]?.()
  })
  await measured().finally(() => over.abort())
  await Promise.all(clients)
}

export function search(query: Query): string {
  const texts = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `?${new URLSearchParams(Object.fromEntries(texts))}`
}
