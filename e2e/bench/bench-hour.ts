import { join } from 'node:path'
import { chromium, type Browser, type Frame, type Page } from '@playwright/test'
import { installBrowser } from '../../.ci/install-browser.ts'
import type { ReplayEvent } from '../../src/replay/recorded/rrweb.ts'
import { quantile, type Figure } from './bench-figure.ts'
import { clockId, fillHour, screenMs, type Captured } from './hour-recording.ts'
import { diskFigure, keptData } from './kept-data.ts'
import { randomFrom } from './random-from.ts'
import { connectStore } from '../connect-store.ts'
import { startService, type RunningService } from '../service.ts'

const seeks = 20
/** Positions (s) at which the recording is opened. */
const openings = [3_400, 290, 1_801]
/** Openings at each position: single ones differ by a fifth. */
const openingsOfEach = 5

/** Measurements by the clock of the pages (ms). */
type Measured = { times: number[]; longest: number; nodes: number }

/** Measures a one-hour recording in the player and in rrweb's unmodified replayer, in the same browser. */
export async function hourFigures(): Promise<Figure[]> {
  const source = join(import.meta.dirname, 'hour-recording.ts')
  const { dataDirectory, known } = await keptData('hour', source, fillHour)
  const env = { SPOOL_RATE_LIMIT: '0', SPOOL_ROLES: 'serve' }
  const service = await startService({ dataDirectory, env })
  const browser = await chromium.launch({ executablePath: installBrowser(), args: ['--no-sandbox'] })
  try {
    const disk = await diskFigure('an hour of recording', join(dataDirectory, 'objects'), 10)
    disk.measured += (await pageBytes(service)) / 1e6
    return [...(await measure(browser, service, known)), disk]
  } finally {
    await browser.close()
    await service.stop()
  }
}

/** Returns the bytes of all stored pages in the database. */
async function pageBytes(service: RunningService): Promise<number> {
  const client = await connectStore(service)
  const size = `SELECT pg_total_relation_size('session_recording_pages')::float8 AS bytes`
  const { rows } = await client.query<{ bytes: number }>(size).finally(() => client.end())
  return rows[0]?.bytes ?? NaN
}

async function measure(browser: Browser, service: RunningService, captured: Captured): Promise<Figure[]> {
  const positions = positionsOf(seeks)
  const stock = await measureStock(browser, service, captured, positions)
  const first = await open(browser, service, captured, 0)
  const blocked = await blockedUntilRead(first)
  const ours = await measureSeeks(first, positions)
  await first.page.context().close()
  const opened = openings.map((at) => ({ at, times: [] as number[] }))
  for (let count = 0; count < openingsOfEach; count += 1)
    for (const { at, times } of opened) {
      const { page, picture } = await open(browser, service, captured, at)
      times.push(picture)
      await page.context().close()
    }
  const stockP95 = quantile(stock.times, 0.95)
  const p95 = quantile(ours.times, 0.95)
  return [
    figure('an hour: the first picture, from its block', first.picture - first.block, 1_000),
    figure(
      'an hour: opened at a moment, median of 5, the slowest of 3 moments',
      Math.max(...opened.map(({ times }) => quantile(times, 0.5))),
      800,
    ),
    figure('an hour: a random seek, p95', p95, 100),
    figure('an hour: the longest task of 20 seeks', ours.longest, 100),
    {
      ...figure('an hour: a seek of rrweb’s replayer, p95 ÷ ours', stockP95 / p95, 5),
      unit: '×',
      atLeast: true,
    },
    { ...figure('an hour: nodes ÷ those of one page', ours.nodes / stock.nodes, 1.3), unit: '×' },
    { ...figure('an hour: blocked while loading ÷ rrweb’s', blocked / stock.blocked, 0.3), unit: '×' },
    figure(
      'an app: the longest task with 20,000 wireframes',
      await measureApp(browser, service, captured),
      100,
    ),
  ]
}

function figure(name: string, measured: number, bound: number): Figure {
  return { name, measured, bound, unit: 'ms' }
}

/** Returns random positions in the recording, in whole seconds plus a half. */
function positionsOf(count: number): number[] {
  const random = randomFrom(7)
  return Array.from({ length: count }, () => Math.floor(random() * 3_590) + 0.5)
}

/** Plays an app's recording to its end and seeks in it; returns the longest task (ms) of the player's frame. */
async function measureApp(browser: Browser, { origin }: RunningService, { app, key }: Captured) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.addInitScript(watchPage, { clockId, at: -1, pictureLine })
  await page.goto(`${origin}/recordings/${app}?t=0#key=${key}`)
  const player = await playerIn(page)
  const shows = async (screen: number) => {
    await player.waitForFunction(
      (start) => {
        const shown = document.querySelector<HTMLIFrameElement>('.replayer-wrapper:not([hidden]) > iframe')
        const picture = shown?.contentDocument?.querySelector<HTMLImageElement>('.picture')
        return picture?.complete === true && picture.alt.startsWith(start)
      },
      `${screen}/`,
      { polling: 50 },
    )
    // Until it is painted.
    await page.waitForTimeout(500)
  }
  for (const screen of [1, 2, 3]) await shows(screen)
  await page.waitForTimeout(screenMs)
  for (const screen of [1, 2, 3, 2]) {
    await seek(page, (screen - 0.5) * screenMs)
    await shows(screen)
  }
  const longest = Math.max(0, ...(await longTasks(player)))
  await page.close()
  return longest
}

type Opened = { page: Page; player: Frame }
type Watched = { tasks: PerformanceEntry[]; shownSeconds: () => string }

/** Start of the line in the console that says when the picture was shown (ms since the epoch). */
const pictureLine = 'picture at '
/** Longest wait (ms) for the picture. */
const pictureMsMax = 30_000

/**
 * Opens the recording at a time; returns when its page was shown and its first block arrived, since the navigation. Until then, nothing
 * is evaluated in the page: Playwright would run scripts in each frame, which take processor time.
 */
async function open(browser: Browser, { origin }: RunningService, { hour, key }: Captured, at: number) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.addInitScript(watchPage, { clockId, at, pictureLine })
  const shown = page.waitForEvent('console', {
    predicate: (line) => line.text().startsWith(pictureLine),
    timeout: pictureMsMax,
  })
  await page.goto(`${origin}/recordings/${hour}?t=${at}#key=${key}`, { waitUntil: 'commit' })
  const pictureAt = Number((await shown).text().slice(pictureLine.length))
  const player = await playerIn(page)
  const { start, block } = await page.evaluate(() => ({
    start: performance.timeOrigin,
    block: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('source=blob_v2'))
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd)[0],
  }))
  return { page, player, picture: pictureAt - start, block: block ?? NaN }
}

async function playerIn(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe[title="The recorded page"]')
  const player = await element.contentFrame()
  if (!player) throw new Error('the player has no document')
  return player
}

/** Seeks with the timeline to a position (ms); returns when (ms since the epoch). */
function seek(page: Page, position: number): Promise<number> {
  return page.evaluate((position) => {
    const slider = document.querySelector<HTMLInputElement>('[aria-label="Playback position"]')
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    const now = performance.timeOrigin + performance.now()
    setValue?.call(slider, String(position))
    slider?.dispatchEvent(new Event('input', { bubbles: true }))
    return now
  }, position)
}

/**
 * Records all long tasks of a document and, in the player's frame, writes a line to the console when the page of a time is first
 * shown. Runs in the browser.
 */
function watchPage({ clockId, at, pictureLine }: { clockId: string; at: number; pictureLine: string }): void {
  const watched = window as unknown as Watched
  watched.tasks = []
  new PerformanceObserver((list) => watched.tasks.push(...list.getEntries())).observe({
    type: 'longtask',
    buffered: true,
  })
  if (location.pathname !== '/player.html') return
  watched.shownSeconds = () => {
    const shown = document.querySelector<HTMLIFrameElement>('.replayer-wrapper:not([hidden]) > iframe')
    return shown?.contentDocument?.getElementById(clockId)?.textContent ?? ''
  }
  const look = () => {
    if (watched.shownSeconds() === String(at))
      requestAnimationFrame(() => console.log(pictureLine + (performance.timeOrigin + performance.now())))
    else requestAnimationFrame(look)
  }
  look()
}

/** Waits until the whole recording has been read; returns how long (ms) tasks of 50 ms or more blocked the page or its player. */
async function blockedUntilRead({ page, player }: Opened): Promise<number> {
  await page.waitForFunction(() => {
    const requests = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('source=blob_v2'))
    const last = Math.max(...requests.map((entry) => (entry as PerformanceResourceTiming).responseEnd))
    return performance.now() - last > 3_000
  })
  return (await longTasks(page, player)).reduce((sum, duration) => sum + duration, 0)
}

/** Returns the durations (ms) of the long tasks of the page and of its player. */
async function longTasks(...documents: (Page | Frame)[]): Promise<number[]> {
  const tasks = documents.map((each) =>
    each.evaluate(() => (window as unknown as Watched).tasks.map(({ duration }) => duration)),
  )
  return (await Promise.all(tasks)).flat()
}

/** Seeks with the timeline, and measures until the right page is painted. */
async function measureSeeks({ page, player }: Opened, positions: readonly number[]): Promise<Measured> {
  const times: number[] = []
  const earlier = await longTasks(page, player)
  for (const position of positions) {
    const shown = player.evaluate(
      async (wanted) => {
        const { shownSeconds } = window as unknown as Watched
        while (shownSeconds() !== wanted) await new Promise((done) => setTimeout(done))
        await new Promise((done) => requestAnimationFrame(done))
        await new Promise((done) => setTimeout(done))
        return performance.timeOrigin + performance.now()
      },
      String(Math.floor(position)),
    )
    const started = await seek(page, position * 1000)
    times.push((await shown) - started)
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
  }
  const tasks = await longTasks(page, player)
  const nodes = await player.evaluate(() => {
    const nodesIn = (root: Document): number =>
      root.querySelectorAll('*').length +
      [...root.querySelectorAll('iframe')].reduce(
        (sum, { contentDocument }) => sum + (contentDocument ? nodesIn(contentDocument) : 0),
        0,
      )
    return nodesIn(document)
  })
  return { times, longest: Math.max(0, ...tasks.slice(earlier.length)), nodes }
}

/** Measures loading and seeks with rrweb's unmodified replayer, which needs all events before it starts. */
async function measureStock(
  browser: Browser,
  { origin }: RunningService,
  { project, key, hour }: Captured,
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
  const url = `${origin}/api/projects/${project}/session_recordings/${hour}/snapshots/`
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
    { url, key, positions, clockId },
  )
  await context.close()
  return measured
}
