import { findInExports, findInLedger } from '../../src/service/alerts/export-findings.ts'
import { withStore } from '../connect-store.ts'
import type { RunningService } from '../service.ts'
import type { Figure } from './bench-figure.ts'
import type { Filled, FilledExports } from './bench-fill.ts'
import { receive, responseTime } from './response-time.ts'

type List = {
  name: string
  /** Bound in ms. */
  bound: number
  requests: number
  share: number
  path: (filled: Filled, request: number) => string
  note?: string
}

const home = `health/?since=${new Date(Date.now() - 86_400_000).toISOString()}`

const lists: List[] = [
  {
    name: 'a page of 100 out of 1,000 exports with latest runs, p95',
    bound: 10,
    requests: 500,
    share: 0.95,
    note: 'the hundredth is a page of one export',
    path: ({ exports }, request) =>
      `batch_exports/?limit=${exports / 10}&offset=${((request % 10) * exports) / 10}`,
  },
  {
    name: 'the overview of 1,000 exports without changes, median',
    bound: 80,
    requests: 40,
    share: 0.5,
    path: () => 'batch_exports/overview/',
  },
  {
    name: 'the coverage of 10,000 windows, median',
    bound: 50,
    requests: 40,
    share: 0.5,
    path: ({ grid }) => `batch_exports/${grid.id}/coverage/?start=${grid.start}&end=${grid.end}`,
  },
  {
    name: 'the home page with 1,000 exports and 720,000 runs, p95',
    bound: 50,
    requests: 200,
    share: 0.95,
    path: () => home,
  },
]

/** Measures lists of exports, and how their times grow with a hundred times as much. */
export async function listFigures(service: RunningService, { few, many }: FilledExports): Promise<Figure[]> {
  // The first request computes the states of all windows, which the service otherwise does in the background.
  for (const filled of [few, many]) await request(service, filled, home)
  const figures: Figure[] = []
  for (const { requests, share, path, ...figure } of lists) {
    const time = (filled: Filled) =>
      responseTime(requests, share, (number) => request(service, filled, path(filled, number)))
    const [hundredth, measured] = [await time(few), await time(many)]
    figures.push({ ...figure, measured, unit: 'ms', hundredth })
  }
  const rules = 'the rules of alerts about 1,000 exports, median'
  return [...figures, { name: rules, bound: 150, measured: await rulesTime(service), unit: 'ms' }]
}

function request(service: RunningService, { tenant }: Filled, path: string): Promise<void> {
  const url = `${service.origin}/api/projects/${tenant.project_id}/${path}`
  return receive(url, { authorization: `Bearer ${tenant.api_key}` })
}

/** Measures what the rules of every five minutes read of exports, as the service reads it. */
function rulesTime(service: RunningService): Promise<number> {
  return withStore(service, (store) =>
    responseTime(20, 0.5, async () => {
      const now = Date.now()
      await findInLedger(store, now)
      await findInExports(store, now, { minutesOf: () => null, cacheKey: store })
    }),
  )
}
