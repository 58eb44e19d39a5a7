import { chromium, devices, type Page } from '@playwright/test'
import { installBrowser } from '../../.ci/install-browser.ts'
import type { Figure } from './bench-figure.ts'
import type { Filled, FilledExports } from './bench-fill.ts'
import { scrollFigures } from './bench-scroll.ts'
import type { RunningService } from '../service.ts'

/** Factor by which the browser's processor is slowed down. */
const slowdown = 4
const longTaskMsMax = 50 * slowdown
const rounds = 3

/** All locators here use CSS: finding elements by role walks the whole page, which is a long task itself. */
const legend = '[aria-label="Windows by state"]'

/**
 * Measures the dashboard's longest tasks and dropped frames on a slow device, and the time from receiving a large grid's data to
 * painting it.
 */
export async function pageFigures(
  service: RunningService,
  { many: filled }: FilledExports,
): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: installBrowser(), args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ ...devices['Desktop Chrome'], timezoneId: 'UTC' })
    const page = await context.newPage()
    await page.goto(`${service.origin}/exports#key=${filled.tenant.api_key}`)
    await listed(page, 1001)
    const painted = await minimum(() => gridPaint(page, service, filled))
    return [
      ...(await longTasks(page, stepsOf(page, service, filled))),
      {
        name: 'painting a grid of 10,000 windows, from its data',
        measured: painted,
        bound: 100,
        unit: 'ms',
      },
      ...(await scrollFigures(page, service, slowdown)),
    ]
  } finally {
    await browser.close()
  }
}

/** Only `perform` is measured, on the slow processor. */
type Step = { name: string; before: () => Promise<unknown>; perform: () => Promise<unknown> }

function stepsOf(page: Page, service: RunningService, { grid }: Filled): Step[] {
  const none = () => Promise.resolve()
  const search = page.locator('[aria-label="Filter exports"]')
  const list = async () => {
    await page.goto(`${service.origin}/exports`)
    await listed(page, 1001)
  }
  const openGrid = async () => {
    await page.goto(`${service.origin}/exports/${grid.id}?from=${grid.start}&to=${grid.end}`)
    await completed(page)
  }
  const turn = async (name: 'Older' | 'Newer') => {
    const responded = page.waitForResponse((response) => /\/runs\/\?/.test(response.url()))
    await page.locator('button', { hasText: name }).click()
    await responded
    await page.waitForLoadState('networkidle')
  }
  return [
    { name: 'opening the list of 1,000 exports', before: none, perform: list },
    {
      name: 'filtering the list',
      before: list,
      perform: async () => {
        await search.pressSequentially('export 777')
        await page.locator('[aria-rowcount]:not([aria-rowcount="1002"])').waitFor()
        await page.waitForURL(/q=export\+777/)
        await search.fill('')
        await listed(page, 1001)
      },
    },
    { name: 'opening the grid of 10,000 windows', before: none, perform: openGrid },
    { name: 'dragging over the grid', before: openGrid, perform: () => drag(page) },
    {
      name: 'paging runs',
      before: openGrid,
      perform: async () => {
        for (const name of ['Older', 'Older', 'Older', 'Newer', 'Newer'] as const) await turn(name)
      },
    },
  ]
}

/** Measures the longest task of each step, in milliseconds; 0 if none reached 50. */
async function longTasks(page: Page, steps: Step[]): Promise<Figure[]> {
  const figures: Figure[] = []
  const session = await page.context().newCDPSession(page)
  const slowDown = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate })
  for (const { name, before, perform } of steps) {
    const measured = await minimum(async () => {
      await before()
      await page.waitForLoadState('networkidle')
      await slowDown(slowdown)
      const since = await page.evaluate(() => performance.timeOrigin + performance.now())
      await perform()
      await page.waitForLoadState('networkidle')
      const longest = await longestTask(page, since)
      await slowDown(1)
      return longest
    })
    const longest = `longest task, processor ${slowdown} × slower: ${name}`
    figures.push({ name: longest, measured, bound: longTaskMsMax, unit: 'ms' })
  }
  return figures
}

/** Returns the longest task (ms) that the browser has recorded for the current page since `since` (ms since the epoch). */
async function longestTask(page: Page, since: number): Promise<number> {
  return page.evaluate(async (since) => {
    const entries: PerformanceEntry[] = []
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
    observer.observe({ type: 'longtask', buffered: true })
    // Buffered entries arrive in a separate task, and so may the last entry.
    await new Promise((done) => setTimeout(done, 100))
    entries.push(...observer.takeRecords())
    observer.disconnect()
    const later = entries.filter(({ startTime }) => performance.timeOrigin + startTime >= since)
    return Math.max(0, ...later.map(({ duration }) => duration))
  }, since)
}

/** Measures the time (ms) from the last byte of a coverage to the frame after the one that renders its legend. */
async function gridPaint(page: Page, service: RunningService, { grid }: Filled): Promise<number> {
  const length = Date.parse(grid.end) - Date.parse(grid.start)
  const later = (time: string) => new Date(Date.parse(time) + length).toISOString()
  const path = `/exports/${grid.id}?from=${later(grid.start)}&to=${later(grid.end)}`
  await page.goto(service.origin + path)
  await page.locator(legend).waitFor()
  await page.waitForLoadState('networkidle')
  const painted = page.evaluate(async (legend) => {
    const text = () => document.querySelector(legend)?.textContent ?? ''
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    while (!text().includes('10,000 completed')) await frame()
    // The next frame starts once the frame with the grid has been submitted.
    await frame()
    const now = performance.now()
    const resources = performance.getEntriesByType('resource')
    const coverage = resources.findLast(({ name }) => name.includes('/coverage/'))
    return coverage instanceof PerformanceResourceTiming ? now - coverage.responseEnd : Number.NaN
  }, legend)
  await page.locator('[aria-label="Earlier"]').click()
  return painted
}

/** Drags from the first windows to the last visible ones and halfway back, in small steps. */
async function drag(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0))
  const box = await page.locator('[aria-label="Windows of the period"]').locator('..').boundingBox()
  if (!box) throw new Error('The grid is not visible')
  const bottom = Math.min(box.y + box.height, 700) - 5
  await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.95, bottom, { steps: 40 })
  await page.mouse.move(box.x + box.width * 0.6, box.y + 150, { steps: 40 })
  await page.mouse.up()
  await page.locator('output', { hasText: 'windows selected' }).waitFor()
}

/** Waits until the list has this number of exports. */
async function listed(page: Page, exports: number): Promise<void> {
  await page.locator(`[aria-rowcount="${exports + 1}"]`).waitFor()
}

async function completed(page: Page): Promise<void> {
  await page.locator(legend, { hasText: '10,000 completed' }).waitFor()
}

/** Returns the minimum of several rounds, because other load on the machine can only add to the time; none is below 0. */
async function minimum(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && least > 0; round++) least = Math.min(least, await measure())
  return least
}
