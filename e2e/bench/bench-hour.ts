import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser, type Page } from '@playwright/test'
import { installBrowser } from '../../.ci/install-browser.ts'
import type { ReplayEvent } from '../../src/replay/recorded/rrweb.ts'
import type { Figure } from './bench-figure.ts'
import { clockId, hourRecording } from './hour-recording.ts'
import type { Tenant } from '../journey.ts'
import { randomFrom } from './random-from.ts'
import type { RunningService } from '../service.ts'

const seeks = 20
/** Positions (s) at which the recording is opened. */
const openings = [3_400, 290, 1_801]
/** Bytes of events per request, as posthog-js sends them. */
const requestBytes = 650_000

type Session = { id: string; project: number; key: string; start: number }
/** Measurements by the page's own clock (ms). */
type Measured = { times: number[]; longest: number; nodes: number }

/** Measures a one-hour recording in the player and in rrweb's unmodified replayer, in the same browser. */
export async function hourFigures(service: RunningService): Promise<Figure[]> {
  const session = await captureHour(service)
  const browser = await chromium.launch({ executablePath: installBrowser(), args: ['--no-sandbox'] })
  try {
    const positions = positionsOf(seeks)
    const stock = await measureStock(browser, service, session, positions)
    const first = await open(browser, service, session, 0)
    const blocked = await blockedUntilRead(first.page)
    const ours = await measureSeeks(first.page, positions)
    await first.page.context().close()
    const opened: number[] = []
    for (const at of openings) {
      const { page, picture } = await open(browser, service, session, at)
      opened.push(picture)
      await page.context().close()
    }
    const stockP95 = percentile(stock.times, 0.95)
    const p95 = percentile(ours.times, 0.95)
    return [
      figure('an hour: the first picture, from its block', first.picture - first.block, 1_000),
      figure('an hour: opened at a moment, the slowest of 3', Math.max(...opened), 1_500),
      figure('an hour: a random seek, p95', p95, 100),
      figure('an hour: the longest task of 20 seeks', ours.longest, 100),
      {
        ...figure('an hour: a seek of rrweb’s replayer, p95 ÷ ours', stockP95 / p95, 5),
        unit: '×',
        atLeast: true,
      },
      { ...figure('an hour: nodes ÷ those of one page', ours.nodes / stock.nodes, 1.3), unit: '×' },
      { ...figure('an hour: blocked while loading ÷ rrweb’s', blocked / stock.blocked, 0.3), unit: '×' },
    ]
  } finally {
    await browser.close()
  }
}

function figure(name: string, measured: number, bound: number): Figure {
  return { name, measured, bound, unit: 'ms' }
}

/** Returns random positions in the recording, in whole seconds plus a half. */
function positionsOf(count: number): number[] {
  const random = randomFrom(7)
  return Array.from({ length: count }, () => Math.floor(random() * 3_590) + 0.5)
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? NaN
}

/** Captures the recording in requests of the size that posthog-js sends. */
async function captureHour(service: RunningService): Promise<Session> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Hour')
  const start = Date.now() - 2 * 3_600_000
  const id = randomUUID()
  let batch: string[] = []
  let bytes = 0
  const send = async () => {
    const properties = {
      $session_id: id,
      $window_id: 'window',
      distinct_id: 'ada',
      token: tenant.project_token,
    }
    const item = { uuid: randomUUID(), event: '$snapshot', properties: { ...properties, $snapshot_data: [] } }
    const body = JSON.stringify([item]).replace(
      '"$snapshot_data":[]',
      () => `"$snapshot_data":[${batch.join()}]`,
    )
    const packed = new Uint8Array(gzipSync(body, { level: 1 }))
    const response = await fetch(`${service.origin}/s/`, { method: 'POST', body: packed })
    if (response.status !== 200) throw new Error(await response.text())
    batch = []
    bytes = 0
  }
  for (const event of await hourRecording(start)) {
    const text = JSON.stringify(event)
    batch.push(text)
    bytes += text.length
    if (bytes > requestBytes) await send()
  }
  await send()
  return { id, project: tenant.project_id, key: tenant.api_key, start }
}

/** Opens the recording at a time; returns when its page was shown and its first block arrived, since the navigation. */
async function open(browser: Browser, { origin }: RunningService, session: Session, at: number) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.addInitScript(watchPage, { clockId, at })
  await page.goto(`${origin}/recordings/${session.id}?t=${at}#key=${session.key}`)
  await page.waitForFunction(() => 'pictureAt' in window, null, { polling: 20 })
  const { picture, block } = await page.evaluate(() => ({
    picture: (window as unknown as { pictureAt: number }).pictureAt,
    block: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('source=blob_v2'))
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd)[0],
  }))
  return { page, picture, block: block ?? NaN }
}

/** Records when the page of a time is first shown, and all long tasks. Runs in the browser. */
function watchPage({ clockId, at }: { clockId: string; at: number }): void {
  if (window.parent !== window) return
  const watched = window as unknown as {
    pictureAt: number
    tasks: PerformanceEntry[]
    shownSeconds: () => string
  }
  watched.tasks = []
  new PerformanceObserver((list) => watched.tasks.push(...list.getEntries())).observe({
    type: 'longtask',
    buffered: true,
  })
  watched.shownSeconds = () => {
    const frame = document.querySelector<HTMLIFrameElement>('iframe[title="The recorded page"]')
    const shown = frame?.contentDocument?.querySelector<HTMLElement>('.replayer-wrapper')
    if (!shown || shown.hidden) return ''
    return shown.querySelector('iframe')?.contentDocument?.getElementById(clockId)?.textContent ?? ''
  }
  const look = () => {
    if (watched.shownSeconds() === String(at))
      requestAnimationFrame(() => (watched.pictureAt = performance.now()))
    else requestAnimationFrame(look)
  }
  look()
}

/** Waits until the whole recording has been read; returns how long (ms) tasks of 50 ms or more blocked the page. */
async function blockedUntilRead(page: Page): Promise<number> {
  await page.waitForFunction(() => {
    const requests = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('source=blob_v2'))
    const last = Math.max(...requests.map((entry) => (entry as PerformanceResourceTiming).responseEnd))
    return performance.now() - last > 3_000
  })
  return await page.evaluate(() => {
    const { tasks } = window as unknown as { tasks: PerformanceEntry[] }
    return tasks.reduce((sum, { duration }) => sum + duration, 0)
  })
}

/** Seeks with the timeline, and measures until the right page is painted. */
async function measureSeeks(page: Page, positions: readonly number[]): Promise<Measured> {
  return await page.evaluate(async (positions) => {
    const watched = window as unknown as { tasks: PerformanceEntry[]; shownSeconds: () => string }
    const slider = document.querySelector<HTMLInputElement>('[aria-label="Playback position"]')
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const times: number[] = []
    watched.tasks.length = 0
    for (const position of positions) {
      const started = performance.now()
      setValue?.call(slider, String(position * 1000))
      slider?.dispatchEvent(new Event('input', { bubbles: true }))
      while (watched.shownSeconds() !== String(Math.floor(position)))
        await new Promise((done) => setTimeout(done))
      await frame()
      await new Promise((done) => setTimeout(done))
      times.push(performance.now() - started)
      await new Promise((done) => setTimeout(done, 100))
    }
    const nodesIn = (root: Document): number =>
      root.querySelectorAll('*').length +
      [...root.querySelectorAll('iframe')].reduce(
        (sum, { contentDocument }) => sum + (contentDocument ? nodesIn(contentDocument) : 0),
        0,
      )
    const player = document.querySelector<HTMLIFrameElement>('iframe[title="The recorded page"]')
    return {
      times,
      longest: Math.max(0, ...watched.tasks.map(({ duration }) => duration)),
      nodes: player?.contentDocument ? nodesIn(player.contentDocument) : NaN,
    }
  }, positions)
}

/** Measures loading and seeks with rrweb's unmodified replayer, which needs all events before it starts. */
async function measureStock(
  browser: Browser,
  { origin }: RunningService,
  session: Session,
  positions: readonly number[],
): Promise<Measured & { blocked: number }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const dist = join(import.meta.dirname, '../../node_modules/@rrweb/replay/dist')
  await page.route('**/stock', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }),
  )
  await page.goto(`${origin}/stock`)
  await page.addScriptTag({ path: join(dist, 'replay.umd.min.cjs') })
  const url = `${origin}/api/projects/${session.project}/session_recordings/${session.id}/snapshots/`
  const measured = await page.evaluate(
    async ({ url, key, positions, clockId }) => {
      type Stock = { pause: (at: number) => void; iframe: HTMLIFrameElement }
      const rrweb = window as unknown as Record<
        string,
        { Replayer: new (events: ReplayEvent[], config: object) => Stock }
      >
      const tasks: PerformanceEntry[] = []
      new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' })
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      const rest = (ms = 0) => new Promise((done) => setTimeout(done, ms))
      const headers = { authorization: `Bearer ${key}` }
      const { sources } = (await (await fetch(url, { headers })).json()) as { sources: unknown[] }
      const events: ReplayEvent[] = []
      for (let first = 0; first < sources.length; first += 20) {
        const last = Math.min(first + 19, sources.length - 1)
        const response = await fetch(`${url}?source=blob_v2&start_blob_key=${first}&end_blob_key=${last}`, {
          headers,
        })
        for (const line of (await response.text()).split('\n'))
          events.push((JSON.parse(line) as [string, ReplayEvent])[1])
      }
      const Replayer = Object.values(rrweb).find(
        (library) => typeof library === 'object' && library !== null && 'Replayer' in library,
      )?.Replayer
      if (!Replayer) throw new Error('rrweb is not loaded')
      const replayer = new Replayer(events, { root: document.body, showWarning: false })
      replayer.pause(0)
      await frame()
      await rest(500)
      const blocked = tasks.reduce((sum, { duration }) => sum + duration, 0)
      tasks.length = 0
      const times: number[] = []
      for (const position of positions) {
        const started = performance.now()
        replayer.pause(position * 1000)
        await frame()
        await rest()
        times.push(performance.now() - started)
        const shown = replayer.iframe.contentDocument?.getElementById(clockId)?.textContent
        if (shown !== String(Math.floor(position))) throw new Error(`rrweb shows ${shown} at ${position} s`)
        await rest(100)
      }
      const longest = Math.max(0, ...tasks.map(({ duration }) => duration))
      const nodes = replayer.iframe.contentDocument?.querySelectorAll('*').length ?? NaN
      return { times, longest, nodes, blocked }
    },
    { url, key: session.key, positions, clockId },
  )
  await context.close()
  return measured
}
