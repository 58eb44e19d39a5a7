import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  EventType,
  IncrementalSource,
  networkPlugin,
  NodeType,
  type ReplayEvent,
} from '../../src/replay/recorded/rrweb.ts'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'
import type { Figure } from './bench-figure.ts'

/** Recordings of 10 to 20 MB that a stranger can send with the public token, made to be slow to read. */
const forged: Record<string, (at: number) => ReplayEvent[]> = {
  '100,000 nodes, each before the last': (at) => [
    mutation(at, 100_000, (id) => ({ parentId: 1, nextId: id - 1 })),
  ],
  '200,000 nodes, each in the last': (at) => [
    mutation(at, 200_000, (id) => ({ parentId: id === 2 ? 1 : id - 1, nextId: null })),
  ],
  '30,000 pages': (at) =>
    numbers(30_000).map((index) => ({
      type: EventType.Meta,
      timestamp: at + index,
      data: { href: `https://shop.example/page-${index}`, width: 1000, height: 500 },
    })),
  '20,000 requests': (at) => [
    {
      type: EventType.Plugin,
      timestamp: at,
      data: {
        plugin: networkPlugin,
        payload: {
          requests: numbers(20_000).map((index) => ({
            name: `https://shop.example/api/${index}`,
            method: 'GET',
            status: 500,
            timestamp: at + index,
          })),
        },
      },
    },
  ],
}

/** Measures how long other requests wait while forged recordings are captured, read and summarized. */
export async function forgedFigures(service: RunningService): Promise<Figure[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Forged')
  const figures: Figure[] = []
  for (const [name, eventsOf] of Object.entries(forged)) {
    figures.push({
      name: `the longest wait of /_health while ${name} are read`,
      measured: await longestWait(service, async () =>
        summarize(service, tenant, await capture(service, tenant, eventsOf)),
      ),
      bound: 100,
      unit: 'ms',
    })
  }
  return figures
}

async function capture(
  service: RunningService,
  tenant: Tenant,
  eventsOf: (at: number) => ReplayEvent[],
): Promise<string> {
  const id = randomUUID()
  const at = Date.now() - 7_200_000
  const document = { type: NodeType.Document, id: 1, childNodes: [] }
  const events = [
    {
      type: EventType.Meta,
      timestamp: at,
      data: { href: 'https://shop.example/', width: 1000, height: 500 },
    },
    {
      type: EventType.FullSnapshot,
      timestamp: at,
      data: { node: document, initialOffset: { top: 0, left: 0 } },
    },
    ...eventsOf(at + 1000),
  ]
  const properties = {
    $session_id: id,
    $window_id: 'window',
    distinct_id: 'stranger',
    token: tenant.project_token,
    $snapshot_data: events,
  }
  const item = { uuid: randomUUID(), event: '$snapshot', properties }
  const body = new Uint8Array(gzipSync(JSON.stringify([item]), { level: 1 }))
  const response = await fetch(`${service.origin}/s/`, { method: 'POST', body })
  if (response.status !== 200) throw new Error(await response.text())
  return id
}

async function summarize(service: RunningService, tenant: Tenant, id: string): Promise<void> {
  const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${id}/summary/`
  const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.api_key}` } })
  if (response.status !== 200) throw new Error(await response.text())
  await response.text()
}

/** Polls `/_health` until the work is done; returns the longest response time (ms). */
async function longestWait(service: RunningService, work: () => Promise<void>): Promise<number> {
  const done = new AbortController()
  let longest = 0
  const watch = async () => {
    while (!done.signal.aborted) {
      const started = performance.now()
      await (await fetch(`${service.origin}/_health`)).text()
      longest = Math.max(longest, performance.now() - started)
    }
  }
  await Promise.all([work().finally(() => done.abort()), watch()])
  return longest
}

function mutation(
  timestamp: number,
  count: number,
  placeOf: (id: number) => { parentId: number; nextId: number | null },
): ReplayEvent {
  const adds = numbers(count).map((index) => {
    const id = index + 2
    const node = { type: NodeType.Element, id, tagName: 'p' }
    return { ...placeOf(id), node }
  })
  const data = { source: IncrementalSource.Mutation, adds, removes: [], texts: [], attributes: [] }
  return { type: EventType.IncrementalSnapshot, timestamp, data }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
