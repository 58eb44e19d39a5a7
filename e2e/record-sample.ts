import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { chromium, type Browser } from '@playwright/test'
import { EventType, isFromPlugin, networkPlugin, type RecordedEvent } from '../src/replay/recorded/rrweb.ts'
import { installBrowser } from '../.ci/install-browser.ts'
import { readBody } from '../src/service/capture/read-body.ts'
import { recordedAt as start } from '../src/service/sample/recording-times.ts'
import { serveDemoShop, type DemoShop } from './demo-shop.ts'
import type { Tenant } from './journey.ts'
import { startService } from './service.ts'
import { makeVisit } from './visit-steps.ts'
import { Visitor } from './visitor.ts'
import { visits, type Visit } from './visits.ts'
import { randomFrom } from './bench/random-from.ts'
import { cleanUpAtEnd } from '../.ci/clean-up-at-end.ts'

/* Records the sample project's sessions: a real browser visits the demo shop, recorded by the real posthog-js. */

type NetworkEntry = { startTime?: number; duration?: number }
type Item = { uuid: string; event: string; timestamp: string; properties: Record<string, unknown> }

const folder = resolve(import.meta.dirname, '../src/service/sample/recordings')
const host = 'lumen-and-loom.example'
const partMs = 60_000

cleanUpAtEnd()
const service = await startService()
const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Sample')
const shop = await serveDemoShop(service.origin, tenant.project_token)
const lines: string[] = []
const sessions: Awaited<ReturnType<typeof record>>['session'][] = []
try {
  for (const [index, visit] of visits.entries()) {
    const { line, session } = await record(shop, visit, index)
    lines.push(line)
    sessions.push(session)
    console.log(`${index + 1}/${visits.length} ${visit.story}: ${session.seconds} s`)
  }
} finally {
  shop.stop()
  await service.stop()
}

const packed = zstdCompressSync(lines.join('\n'), {
  params: {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    [constants.ZSTD_c_windowLog]: 26,
  },
})
await mkdir(folder, { recursive: true })
await writeFile(join(folder, 'recordings.jsonl.zst'), packed)
await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ sessions }, null, 2)}\n`)
console.log(`${sessions.length} sessions in ${Math.round(packed.length / 1024)} kB`)

/** Records a visit. `line` is the data that posthog-js sent, as JSON with one array per minute. */
async function record(shop: DemoShop, visit: Visit, index: number) {
  const browser = await launchBrowser(shop, visit)
  try {
    const { viewport, isPhone: hasTouch } = visit.device
    const page = await browser.newPage({ viewport, isMobile: hasTouch, hasTouch })
    // The clock runs until it is paused, and can only be paused at a later time.
    await page.clock.install({ time: start - 60_000 })
    await page.clock.pauseAt(start)
    const visitor = new Visitor(page, { random: randomFrom(index + 1), hasTouch, shop })
    await visitor.open(`http://${host}/`)
    await makeVisit(visitor, visit)
    const items = (await itemsOf(shop.takeBodies())).map((item) => complete(item, visit))
    return { line: lineOf(items), session: { story: visit.story, ...summary(items) } }
  } finally {
    await browser.close()
  }
}

/** Launches a browser per visit, because pages being left send the browser's user agent, not that of the context. */
function launchBrowser({ port }: DemoShop, { device }: Visit): Promise<Browser> {
  return chromium.launch({
    executablePath: installBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      `--host-resolver-rules=MAP ${host} 127.0.0.1:${port}`,
      `--user-agent=${device.userAgent}`,
    ],
  })
}

/** Adds the visitor's country, which a proxy determines in production, and moves requests to the page's clock. */
function complete(item: Item, { country }: Visit): Item {
  const { $snapshot_data: snapshots, ...properties } = item.properties
  if (snapshots === undefined) return { ...item, properties: { ...properties, $geoip_country_code: country } }
  const moved = (snapshots as RecordedEvent[]).map(onPageClock)
  return { ...item, properties: { ...properties, $snapshot_data: moved } }
}

/** Resource timing uses the real clock; a request ends when the recorder reports it on the page's clock. */
function onPageClock(event: RecordedEvent): RecordedEvent {
  if (!isFromPlugin(event, networkPlugin)) return event
  const { payload } = event.data as { payload: { requests: NetworkEntry[] } }
  const requests = payload.requests.map((request) => {
    const timestamp = Math.round(event.timestamp - (request.duration ?? 0))
    return { ...request, timestamp, timeOrigin: timestamp - Math.round(request.startTime ?? 0) }
  })
  return { ...event, data: { plugin: networkPlugin, payload: { ...payload, requests } } }
}

function lineOf(items: readonly Item[]): string {
  const parts = Map.groupBy(items, ({ timestamp }) => Math.floor((Date.parse(timestamp) - start) / partMs))
  return JSON.stringify([...parts.values()])
    .replaceAll(`http://${host}`, `https://${host}`)
    .replaceAll(tenant.project_token, 'phc_demo')
}

/** Returns the items in chronological order, without duplicates from repeated requests. */
async function itemsOf(bodies: readonly Buffer[]): Promise<Item[]> {
  const items = new Map<string, Item>()
  for (const body of bodies) {
    const sent = (await readBody(body)).value as Item | Item[] | { batch: Item[] }
    for (const item of Array.isArray(sent) ? sent : 'batch' in sent ? sent.batch : [sent]) {
      const { token: _, ...properties } = item.properties
      if (!items.has(item.uuid)) items.set(item.uuid, { ...item, properties })
    }
  }
  return [...items.values()].toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
}

function summary(items: readonly Item[]) {
  const ids = new Set(items.map(({ properties }) => properties['$session_id']))
  if (ids.size !== 1) throw new Error(`the visit has ${ids.size} sessions`)
  const count = (name: string) => items.filter(({ event }) => event === name).length
  const fullSnapshots = items
    .flatMap(({ properties }) => (properties['$snapshot_data'] ?? []) as { type: number }[])
    .filter(({ type }) => type === EventType.FullSnapshot)
  if (fullSnapshots.length < count('$pageview')) throw new Error('a page has no full snapshot')
  const times = items.map(({ timestamp }) => Date.parse(timestamp))
  return {
    id: String([...ids][0]),
    seconds: Math.round((Math.max(...times) - start) / 1000),
    events: items.length - count('$snapshot'),
    snapshots: count('$snapshot'),
  }
}
