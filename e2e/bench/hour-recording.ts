import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import {
  EventType,
  incremental,
  IncrementalSource,
  isActive,
  isObject,
  mutation,
  NodeType,
  type ReplayEvent,
} from '../../src/replay/recorded/rrweb.ts'
import { applyEvent, openPage } from '../../src/replay/page.ts'
import { treeOf } from '../../src/replay/page-tree.ts'
import { SnapshotSources } from '../../src/contract/recordings/snapshot.ts'
import type { Tenant } from '../journey.ts'
import { startService } from '../service.ts'

type Data = Record<string, unknown>

const eventsPerSecond = 28
/** Number of events for each added panel. */
const panelInterval = 4
const secondsPerSnapshot = 300
const panelCount = 30
const cardsPerPanel = 2
/** Number of panels for each panel with an extra card. */
const panelsPerLargePanel = 3
export const clockId = 'bench-clock'

/** Bytes of events per request, as posthog-js sends them. */
const requestBytes = 650_000
/** Wireframes of each of an app's screens. */
const wireframeCount = 20_000
/** Time (ms) for which an app shows each of its screens. */
export const screenMs = 3_000

/** The recordings, and what it takes to read them. */
export type Captured = { project: number; key: string; hour: string; app: string }

/** Captures an hour and the recording of an app in an unused data directory. */
export async function fillHour(dataDirectory: string): Promise<Captured> {
  const service = await startService({ dataDirectory, env: { SPOOL_RATE_LIMIT: '0' } })
  try {
    const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Hour')
    const start = Date.now() - 2 * 3_600_000
    const capture = (events: readonly ReplayEvent[], properties = {}) =>
      captureEvents(service.origin, tenant.project_token, events, properties)
    const hour = await capture(await hourRecording(start))
    const app = await capture(appRecording(start), { $snapshot_source: 'mobile', $lib: 'posthog-android' })
    await waitForPages(service.origin, tenant, hour)
    return { project: tenant.project_id, key: tenant.api_key, hour, app }
  } finally {
    await service.stop()
  }
}

/** Waits until the service has read a recording and stored its pages, as it does shortly after a visit. @throws after a minute */
async function waitForPages(origin: string, { project_id, api_key }: Tenant, id: string): Promise<void> {
  const url = `${origin}/api/projects/${project_id}/session_recordings/${id}/snapshots/`
  const headers = { authorization: `Bearer ${api_key}` }
  for (let tries = 0; tries < 120; tries += 1) {
    const { sources } = SnapshotSources.parse(await (await fetch(url, { headers })).json())
    if (sources.some(({ page }) => page)) return
    await new Promise((done) => setTimeout(done, 500))
  }
  throw new Error('the pages of the recording were not stored within a minute')
}

/** Captures events in requests of the size that posthog-js sends; returns the id of their session. */
async function captureEvents(
  origin: string,
  token: string,
  events: readonly ReplayEvent[],
  properties: Data,
): Promise<string> {
  const id = randomUUID()
  const all = { $session_id: id, $window_id: 'window', distinct_id: 'ada', token, ...properties }
  let batch: ReplayEvent[] = []
  let bytes = 0
  const send = async () => {
    const properties = { ...all, $snapshot_data: batch }
    const body = JSON.stringify([{ uuid: randomUUID(), event: '$snapshot', properties }])
    const packed = new Uint8Array(gzipSync(body, { level: 1 }))
    const response = await fetch(`${origin}/s/`, { method: 'POST', body: packed })
    if (response.status !== 200) throw new Error(await response.text())
    batch = []
    bytes = 0
  }
  for (const event of events) {
    batch.push(event)
    bytes += JSON.stringify(event).length
    if (bytes > requestBytes) await send()
  }
  await send()
  return id
}

/** Returns an app's recording: two screens, then one that a change draws, each with `wireframeCount` wireframes. */
function appRecording(start: number): ReplayEvent[] {
  const size = { width: 390, height: 844 }
  const [columns, rows] = [20, wireframeCount / 20]
  const screenOf = (number: number) => {
    const first = 100_000 * number
    const childWireframes = Array.from({ length: wireframeCount - 1 }, (_, index) => ({
      id: first + 1 + index,
      type: index % 2 === 0 ? 'text' : 'rectangle',
      x: (size.width / columns) * (index % columns),
      y: (size.height / rows) * Math.floor(index / columns),
      width: size.width / columns,
      height: 12,
      ...(index % 2 === 0 ? { text: `${number}/${index}` } : { style: { backgroundColor: '#e4e6ee' } }),
    }))
    return { id: first, type: 'div', x: 0, y: 0, ...size, childWireframes }
  }
  const snapshot = (timestamp: number, number: number): ReplayEvent => ({
    type: EventType.FullSnapshot,
    timestamp,
    data: { wireframes: [screenOf(number)], initialOffset: { top: 0, left: 0 } },
  })
  const change = {
    source: IncrementalSource.Mutation,
    removes: [{ id: 200_000, parentId: 0 }],
    adds: [{ parentId: 0, wireframe: screenOf(3) }],
  }
  const end = { source: IncrementalSource.TouchMove, positions: [{ x: 1, y: 1, id: 0, timeOffset: 0 }] }
  return [
    { type: EventType.Meta, timestamp: start, data: { href: 'Screen', ...size } },
    snapshot(start, 1),
    snapshot(start + screenMs, 2),
    incremental(start + 2 * screenMs, change),
    incremental(start + 3 * screenMs, end),
  ]
}

type Options = {
  seconds?: number
  /** Copies of the recorded shop in the page, which make the page as large as a real one with a long list. */
  copies?: number
}

/** The newest id of a node. */
let lastId = 1_000_000

/**
 * Returns an hour in one page: 100,800 events, 136 MB of JSON. Everything that visitors do, and the nodes of the page and of
 * its changes, were recorded from the demo shop; its rate of changes is that of a busy single-page app. The element with
 * the id `clockId` shows the seconds since the start.
 */
export async function hourRecording(
  start: number,
  { seconds = 3_600, copies = 65 }: Options = {},
): Promise<ReplayEvent[]> {
  const recorded = await recordedEvents()
  const starts = recorded.flatMap(({ type }, index) => (type === EventType.FullSnapshot ? [index] : []))
  const pages = starts.map((from, index) => recorded.slice(from, starts[index + 1]))
  const home = pages[0]?.[0]?.data['node']
  const [snapshot, ...acts] =
    pages.map((page) => page.filter(isShown)).toSorted((one, other) => other.length - one.length)[0] ?? []
  const shop = snapshot?.data['node']
  const body = find(shop, (node) => node['tagName'] === 'body')
  const main = find(shop, (node) => node['tagName'] === 'main')
  const card = find(home, (node) => node['tagName'] === 'li')
  if (!isObject(shop) || !body || !main || !card)
    throw new Error('the recorded shop has no body, main or product')
  const clockText = { type: NodeType.Text, id: ++lastId, textContent: '0' }
  const feed = element('div', { class: 'feed' }, [])
  for (let copy = 0; copy < copies; copy += 1) children(body).push(withNewIds(main))
  children(body).push(feed, element('output', { id: clockId }, [clockText]))
  const sized = {
    type: EventType.Meta,
    timestamp: start,
    data: { href: 'https://shop.example/', width: 1280, height: 720 },
  }
  const first = {
    type: EventType.FullSnapshot,
    timestamp: start,
    data: { node: shop, initialOffset: { left: 0, top: 0 } },
  }
  const events: ReplayEvent[] = [sized, structuredClone(first)]
  const page = openPage(sized, first)
  const panels: number[] = []
  const add = (event: ReplayEvent) => {
    applyEvent(page, event)
    events.push(event)
  }
  for (let second = 0; second < seconds; second += 1) {
    const timestamp = start + second * 1000
    if (second > 0 && second % secondsPerSnapshot === 0) {
      const data = { node: structuredClone(treeOf(page, page.root)), initialOffset: { left: 0, top: 0 } }
      events.push({ ...sized, timestamp }, { type: EventType.FullSnapshot, timestamp, data })
    }
    add(mutation(timestamp, { texts: [{ id: clockText.id, value: String(second) }] }))
    for (let number = 1; number < eventsPerSecond; number += 1) {
      const at = timestamp + Math.floor((number * 990) / eventsPerSecond)
      if (number % panelInterval === 0) {
        const isLarge = number % (panelInterval * panelsPerLargePanel) === 0
        const cards = Array.from({ length: cardsPerPanel + Number(isLarge) }, () => withNewIds(card))
        const panel = element('section', { class: 'panel' }, cards)
        const removed = panels.length === panelCount ? panels.shift() : undefined
        panels.push(panel.id)
        const removes = removed === undefined ? [] : [{ parentId: feed.id, id: removed }]
        add(mutation(at, { removes, adds: addsOf(panel, feed.id, null) }))
      } else {
        const act = acts[(second * eventsPerSecond + number) % acts.length]
        if (act) add({ ...act, timestamp: at })
      }
    }
  }
  return events
}

/** Whether an event is a full snapshot or an action of the visitor, which need no earlier change of the page. */
function isShown(event: ReplayEvent): boolean {
  return event.type === EventType.FullSnapshot || isActive(event)
}

/** Returns the unpacked events of the longest recording of the sample. */
async function recordedEvents(): Promise<ReplayEvent[]> {
  const file = join(import.meta.dirname, '../../src/service/sample/recordings/recordings.jsonl.zst')
  const recordings = zstdDecompressSync(await readFile(file))
    .toString()
    .split('\n')
  const longest = recordings.toSorted((one, other) => other.length - one.length)[0] ?? '[]'
  const batches: { event: string; properties: { $snapshot_data: ReplayEvent[] } }[][] = JSON.parse(longest)
  return batches
    .flat()
    .filter(({ event }) => event === '$snapshot')
    .flatMap(({ properties }) => properties.$snapshot_data.map(unpacked))
}

function unpacked(event: ReplayEvent): ReplayEvent {
  const { type, timestamp, data } = event
  const parts = typeof data === 'string' ? unpackedText(data) : data
  const texts = Object.entries(parts).map(([name, value]) => [
    name,
    typeof value === 'string' && value.startsWith('\u001f\u008b') ? unpackedText(value) : value,
  ])
  return { type, timestamp, data: Object.fromEntries(texts) }
}

function unpackedText(text: string): Data {
  return JSON.parse(gunzipSync(Buffer.from(text, 'latin1')).toString())
}

function element(tagName: string, attributes: Data, childNodes: Data[]) {
  return { type: NodeType.Element, id: ++lastId, tagName, attributes, childNodes }
}

function children(node: Data): Data[] {
  return Array.isArray(node['childNodes']) ? node['childNodes'] : []
}

function find(node: unknown, matches: (node: Data) => boolean): Data | null {
  if (!isObject(node)) return null
  if (matches(node)) return node
  for (const child of children(node)) {
    const found = find(child, matches)
    if (found) return found
  }
  return null
}

function withNewIds(node: Data): Data {
  const copy = { ...node, id: ++lastId }
  return 'childNodes' in node ? { ...copy, childNodes: children(node).map(withNewIds) } : copy
}

/** Returns the additions of a tree, one for each node, as rrweb records them. */
function addsOf(node: Data, parentId: unknown, nextId: unknown): Data[] {
  const own = 'childNodes' in node ? { ...node, childNodes: [] } : node
  const inside = children(node).toReversed()
  const following = inside.map((_, index) => inside[index - 1]?.['id'] ?? null)
  return [
    { parentId, nextId, node: own },
    ...inside.flatMap((child, index) => addsOf(child, node['id'], following[index])),
  ]
}
