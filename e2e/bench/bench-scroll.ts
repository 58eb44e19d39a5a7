import type { Page } from '@playwright/test'
import { stripLength } from '../../src/contract/recordings/recording-facts.ts'
import type { SessionRecording } from '../../src/contract/recordings/session-recording.ts'
import type { Figure } from './bench-figure.ts'
import type { RunningService } from '../service.ts'

const total = 1_000_000
/** Length (px) of a scroll, and its speed (px per second). */
const scroll = { yDistance: -9_600, speed: 2_400 }
const start = Date.parse('2026-03-04T12:00:00Z')

/** Categories of the trace in which the browser counts the frames of each scroll. */
const categories = ['-*', 'cc', 'benchmark']

/** Measures scrolls through a list of a million recordings: the frames a person misses, and the rows in the document. */
export async function scrollFigures(
  page: Page,
  service: RunningService,
  slowdown: number,
): Promise<Figure[]> {
  await page.route('**/session_recordings/?**', async (route) => {
    const query = new URL(route.request().url()).searchParams
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
    const results = Array.from({ length: limit }, (_, index) => recordingAt(offset + index))
    const page = { count: total, count_is_estimate: false, has_next: true, next: null, previous: null }
    await route.fulfill({ json: { ...page, results } })
  })
  const compact = await measureScroll(page, service, slowdown, { density: 'compact', width: 1280 })
  const roomy = await measureScroll(page, service, slowdown, { density: 'roomy', width: 1280 })
  const cards = await measureScroll(page, service, slowdown, { density: 'compact', width: 375 })
  const figure = (name: string, measured: number) => ({
    name: `frames missed while scrolling, processor ${slowdown} × slower: ${name}`,
    measured,
    bound: 5,
    unit: '%',
  })
  return [
    figure('compact rows', compact.missed),
    figure('roomy rows', roomy.missed),
    figure('cards', cards.missed),
    { name: 'rows in the document meanwhile', measured: compact.rows, bound: 60, unit: 'rows' },
  ]
}

type View = { density: 'compact' | 'roomy'; width: number }

/**
 * Returns the frames (%) that the browser did not present, presented with unpainted areas, or presented while rows in the
 * window were not rendered; and the largest number of rows in the document.
 */
async function measureScroll(page: Page, { origin }: RunningService, slowdown: number, view: View) {
  const session = await page.context().newCDPSession(page)
  const slowDown = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate })
  await page.setViewportSize({ width: view.width, height: 800 })
  await page.goto(`${origin}/recordings`)
  await page.evaluate((value) => localStorage.setItem('spool.recordings', value), JSON.stringify(view))
  await slowDown(1)
  await page.reload()
  await page.locator('tbody tr').nth(5).waitFor()
  // The pages are loaded beforehand, so that the measured scroll only renders rows.
  await page.waitForFunction(
    (px) => {
      scrollTo(0, document.documentElement.scrollHeight)
      return document.documentElement.scrollHeight > px
    },
    2 * -scroll.yDistance,
    { polling: 'raf' },
  )
  await page.evaluate(() => scrollTo(0, 0))
  await page.waitForLoadState('networkidle')
  await slowDown(slowdown)
  await page.context().browser()?.startTracing(page, { categories })
  const measured = page.evaluate(watchRows)
  await session.send('Input.synthesizeScrollGesture', { x: view.width / 2, y: 500, ...scroll })
  const { blankMs, rows } = await measured
  await slowDown(1)
  const trace = await page.context().browser()?.stopTracing()
  const { expected, dropped } = framesOfScroll(JSON.parse(String(trace)))
  return { missed: (100 * (dropped + (blankMs * 60) / 1000)) / expected, rows }
}

/** Measures the time (ms) with rows in the window that are not rendered, until the scroll has ended; runs in the page. */
async function watchRows(): Promise<{ blankMs: number; rows: number }> {
  let [blankMs, rows, last, time] = [0, 0, -1, performance.now()]
  // The scroll has begun once the position is not 0, and has ended once it stays for half a second.
  for (let still = 0; still < 30; still = scrollY === last && scrollY > 0 ? still + 1 : 0) {
    last = scrollY
    const now = await new Promise<number>(requestAnimationFrame)
    const all = document.querySelectorAll('tbody tr')
    rows = Math.max(rows, all.length)
    const [top = 0, bottom = 0] = [
      all[0]?.getBoundingClientRect().top,
      all[all.length - 1]?.getBoundingClientRect().bottom,
    ]
    // The rows above the window may have been missing in every frame since the last one.
    if (bottom < innerHeight || (scrollY > innerHeight && top > 0)) blankMs += now - time
    time = now
  }
  return { blankMs, rows }
}

type TraceEvent = { name: string; args?: { name?: string; args?: { data?: Record<string, number> } } }

/** Returns the frames that the browser expected during wheel scrolls, and those that it dropped or left unpainted. */
function framesOfScroll({ traceEvents }: { traceEvents: TraceEvent[] }) {
  let [expected, dropped] = [0, 0]
  for (const { name, args } of traceEvents) {
    if (name !== 'FrameSequenceTrackerV3' || !/^(Wheel|Touch)Scroll$/.test(args?.name ?? '')) continue
    const data = args?.args?.data ?? {}
    expected += data['expected'] ?? 0
    dropped += (data['dropped_v4'] ?? 0) + (data['checkerboarded'] ?? 0)
  }
  if (expected === 0) throw new Error('The trace counts no frames of a scroll.')
  return { expected, dropped }
}

/** A recording with facts; all differ. */
function recordingAt(index: number): SessionRecording {
  const time = new Date(start - index * 60_000).toISOString()
  const seconds = 20 + (index % 300)
  const at = seconds * 500
  const pages = ['Home', 'Lamps', 'Arc floor lamp', 'Cart', 'Checkout'].slice(0, 1 + (index % 5))
  const person = { id: null, name: null, distinct_ids: '[]', properties: {}, created_at: null, uuid: null }
  return {
    id: `session-${index}`,
    distinct_id: `visitor-${index}`,
    viewed: index % 3 === 0 ? time : '',
    recording_duration: seconds,
    active_seconds: seconds,
    inactive_seconds: 0,
    start_time: time,
    end_time: time,
    click_count: index % 40,
    keypress_count: index % 70,
    mouse_activity_count: index % 90,
    console_log_count: 0,
    console_warn_count: 0,
    console_error_count: index % 4,
    start_url: 'https://shop.example/',
    person,
    storage: 'object_storage',
    snapshot_source: 'web',
    ongoing: false,
    activity: [],
    failed_request_count: 0,
    dropped_events: 0,
    shared: index % 9 === 0,
    note_count: index % 7 === 0 ? 2 : 0,
    facts: {
      pages: pages.map((label) => ({ label, url: 'shop.example/', at: 0 })),
      page_count: pages.length,
      outcome: { kind: 'left', label: 'Coupon', at },
      problems: index % 2 === 0 ? [] : [{ kind: 'error', label: 'The coupon was refused', at }],
      strip: Array.from({ length: stripLength }, (_, cell) => (cell * 7 + index) % 64),
      moment: at,
      browser: index % 2 === 0 ? 'Chrome' : 'Firefox',
      os: 'Linux',
      device: 'desktop',
      country: index % 2 === 0 ? 'DE' : 'NL',
      summary: null,
    },
  }
}
