import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingOrders } from '../src/contract/recording-filter.ts'
import { responseTime } from './response-time.ts'
import type { Figure } from './bench-figure.ts'
import { fillRecordings } from './bench-recordings-fill.ts'
import { startService } from './service.ts'

const rounds = 40
const listMsMax = 50
const retrieveMsMax = 10
const countsMsMax = 200

type Query = Record<string, unknown>

const clicked = { type: 'recording', key: 'click_count', operator: 'gt', value: 90 }
const placed = { events: [{ id: 'order placed' }] }

function visited(part: string): Query {
  return { properties: [{ key: '$current_url', operator: 'icontains', value: part }] }
}

/** Every filter; where the size of the result matters, once with few and once with many matches. */
export const filters: Record<string, Query> = {
  'a search with few matches': { search: 'visitor777' },
  'a search with many matches': { search: 'shop.example' },
  'a search for names with many matches': { search: 'mail' },
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
  'a console message': {
    console_log_filters: [{ key: 'message', operator: 'icontains', value: 'declined' }],
  },
  'a failed request': {
    properties: [{ type: 'recording', key: 'failed_request_count', operator: 'gte', value: 1 }],
  },
  'many failed requests': {
    properties: [{ type: 'recording', key: 'failed_request_count', operator: 'gte', value: 50 }],
  },
  'a host that rarely failed': { failed_request_filters: [{ key: 'host', value: 'pay.example' }] },
  'a host and a status that often failed': {
    failed_request_filters: [
      { key: 'host', operator: 'icontains', value: 'api1' },
      { key: 'status', operator: 'gte', value: 500 },
    ],
  },
  'part of a visited page': visited('/products/41'),
  'part of a page that most visited': visited('shop.example'),
  'a clicked text': { properties: [{ key: '$el_text', operator: 'icontains', value: 'redeem' }] },
  'watched recordings': { properties: [{ type: 'recording', key: 'viewed', value: true }] },
  'unwatched recordings': { properties: [{ type: 'recording', key: 'viewed', value: false }] },
  'kept recordings': { properties: [{ type: 'recording', key: 'kept', value: true }] },
  'live recordings': { properties: [{ type: 'recording', key: 'ongoing', value: true }] },
  'rage clicks': { properties: [{ type: 'recording', key: 'rage_click_count', operator: 'gte', value: 1 }] },
  'a form that was left': { properties: [{ type: 'recording', key: 'left_form', value: true }] },
  'an outcome': { properties: [{ type: 'recording', key: 'outcome', value: 'error' }] },
  'a country': { properties: [{ type: 'recording', key: 'country', value: 'DE' }] },
  phones: { properties: [{ type: 'recording', key: 'device', value: 'mobile' }] },
  yesterday: { date_from: '-1dStart', date_to: '-1dEnd' },
  'mentions of a person, a session and a page': {
    mentions: ['visitor777@mail27.example', 'visitor-501', 'https://shop.example/products/41'],
  },
  'a search, by clicks': { search: 'visitor777', order: 'click_count' },
  'an event and a week': { ...placed, date_from: '-7d' },
  'page 2,001': { offset: 100_000 },
}

/** Measures the 95th percentile of listing a million recordings, in each order and with each filter, and of retrieving one. */
export async function recordingFigures(): Promise<Figure[]> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'spool-bench-'))
  try {
    const tenant = await fillRecordings(dataDirectory)
    const env = { SPOOL_RATE_LIMIT: '0', SPOOL_ROLES: 'serve' }
    const service = await startService({ dataDirectory, env })
    try {
      const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/`
      return await measure(url, tenant.api_key)
    } finally {
      await service.stop()
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

async function measure(url: string, key: string): Promise<Figure[]> {
  const request = async (path: string) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as { results: { id: string }[] }
  }
  const figure = async (name: string, bound: number, path: string): Promise<Figure> => ({
    name: `${name}, p95`,
    measured: await responseTime(rounds, 0.95, () => request(path)),
    bound,
    unit: 'ms',
  })
  const orders: Figure[] = []
  for (const order of recordingOrders)
    for (const order_direction of ['ASC', 'DESC'])
      orders.push(
        await figure(
          `recordings by ${order} ${order_direction}`,
          listMsMax,
          search({ order, order_direction }),
        ),
      )
  const worst = orders.toSorted((a, b) => b.measured - a.measured).slice(0, 1)
  const filtered: Figure[] = []
  for (const [name, query] of Object.entries(filters))
    filtered.push(await figure(`recordings: ${name}`, listMsMax, search(query)))
  const [first] = (await request('')).results
  const counts = await figure('counts of the quick filters', countsMsMax, 'quick_counts/')
  return [...worst, ...filtered, counts, await figure('a recording', retrieveMsMax, `${first?.id}/`)]
}

export function search(query: Query): string {
  const texts = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `?${new URLSearchParams(Object.fromEntries(texts))}`
}
