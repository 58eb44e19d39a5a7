import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingOrders } from '../src/contract/recording-filter.ts'
import { answerTime } from './answer-time.ts'
import type { Figure } from './bench-figure.ts'
import { fillRecordings } from './bench-recordings-fill.ts'
import { startService } from './service.ts'

const rounds = 40
const listMax = 50
const retrieveMax = 10

type Query = Record<string, unknown>

const clicked = { type: 'recording', key: 'click_count', operator: 'gt', value: 90 }
const placed = { events: [{ id: 'order placed' }] }

/** Each filter, where it makes a difference once as few and once as many recordings fulfil it. */
const filters: Record<string, Query> = {
  'a search that few match': { search: 'visitor777' },
  'a search that most match': { search: 'shop.example' },
  'a search of names that most have': { search: 'mail' },
  'the distinct ids of a person': { distinct_ids: ['visitor-501'] },
  'a snapshot source': { snapshot_source: 'mobile' },
  'a day': { date_from: '-9d', date_to: '-8d' },
  'a number of its own': { properties: [clicked] },
  'a property that few persons have': { properties: [{ type: 'person', key: 'plan', value: 'enterprise' }] },
  'a property that most persons have': { properties: [{ type: 'person', key: 'plan', value: 'free' }] },
  'an event that few sessions have': { events: [{ id: 'refund requested' }] },
  'an event that some sessions have': placed,
  'an event that all sessions have': { events: [{ id: '$pageview' }] },
  'a property that few events have': { properties: [{ key: 'plan', value: 'enterprise' }] },
  'a property that many events have': { properties: [{ key: '$browser', value: 'Chrome' }] },
  'a level of the console': { console_log_filters: [{ key: 'level', value: 'error' }] },
  'a message of the console': {
    console_log_filters: [{ key: 'message', operator: 'icontains', value: 'declined' }],
  },
  'a search, by clicks': { search: 'visitor777', order: 'click_count' },
  'an event and a week': { ...placed, date_from: '-7d' },
  'the two thousandth page': { offset: 100_000 },
}

/** The list of a million recordings by each order and filter, and retrieving one; the 95th percentile of the answers. */
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
  const ask = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { results: { id: string }[] }
  }
  const figure = async (what: string, bound: number, path: string): Promise<Figure> => ({
    what: `${what}, p95`,
    measured: await answerTime(rounds, 0.95, () => ask(path)),
    bound,
    unit: 'ms',
  })
  const orders: Figure[] = []
  for (const order of recordingOrders)
    for (const order_direction of ['ASC', 'DESC'])
      orders.push(
        await figure(
          `recordings by ${order} ${order_direction}`,
          listMax,
          search({ order, order_direction }),
        ),
      )
  const worst = orders.toSorted((a, b) => b.measured - a.measured).slice(0, 1)
  const filtered: Figure[] = []
  for (const [what, query] of Object.entries(filters))
    filtered.push(await figure(`recordings: ${what}`, listMax, search(query)))
  const [first] = (await ask('')).results
  return [...worst, ...filtered, await figure('a recording', retrieveMax, `${first?.id}/`)]
}

function search(query: Query): string {
  const texts = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `?${new URLSearchParams(Object.fromEntries(texts))}`
}
