import type { CDPSession, Page } from '@playwright/test'
import { stripLength } from '../src/contract/visit.ts'
import type { SessionRecording } from '../src/contract/session-recording.ts'
import type { Figure } from './bench-figure.ts'
import type { RunningService } from './service.ts'

const total = 1_000_000
/** Length (px) of a scroll, and its speed (px per second). */
const scroll = { yDistance: -24_000, speed: 2_400 }
const start = Date.parse('2026-03-04T12:00:00Z')

/** Measures a scroll through a list of a million recordings in compact rows: the frames it drops, and the rows it renders. */
export async function scrollFigures(
  page: Page,
  session: CDPSession,
  { origin }: RunningService,
): Promise<Figure[]> {
  await page.route('**/session_recordings/?**', async (route) => {
    const query = new URL(route.request().url()).searchParams
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
    const results = Array.from({ length: limit }, (_, index) => recordingAt(offset + index))
    const page = { count: total, count_is_estimate: false, has_next: true, next: null, previous: null }
    await route.fulfill({ json: { ...page, results } })
  })
  await page.goto(`${origin}/recordings`)
  await page.locator('tbody tr').nth(10).waitFor()
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
  const measured = page.evaluate(async () => {
    const frames: number[] = []
    let rows = 0
    let last = -1
    // The scroll has begun once the position is not 0, and has ended once it stays for half a second.
    for (let still = 0; still < 30; still = scrollY === last && scrollY > 0 ? still + 1 : 0) {
      last = scrollY
      frames.push(await new Promise(requestAnimationFrame))
      rows = Math.max(rows, document.querySelectorAll('tbody tr').length)
    }
    return { frames, rows }
  })
  await session.send('Input.synthesizeScrollGesture', { x: 700, y: 500, ...scroll })
  const { frames, rows } = await measured
  const [first = 0, last = 0] = [frames[0], frames.at(-1)]
  const due = Math.round(((last - first) * 60) / 1000)
  const dropped = (100 * Math.max(0, due - frames.length + 1)) / due
  return [
    {
      name: 'frames dropped while scrolling a million recordings, processor 4 × slower',
      measured: dropped,
      bound: 5,
      unit: '%',
    },
    { name: 'rows in the document meanwhile', measured: rows, bound: 60, unit: 'rows' },
  ]
}

/** A recording with a described visit; all differ. */
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
    visit: {
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
