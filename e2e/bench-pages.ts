import { chromium, devices, type Page } from '@playwright/test'
import { installBrowser } from '../.ci/install-browser.ts'
import type { Figure } from './bench-figure.ts'
import { fillExports, type Filled } from './bench-fill.ts'
import type { RunningService } from './service.ts'

/** How many times slower the browser's processor is made, and what a long task may then take, in milliseconds. */
const slowdown = 4
const longTaskMax = 50 * slowdown
const rounds = 5

/** Found by CSS like all that is waited for here: finding by role walks the whole page in it, a long task of its own. */
const legend = '[aria-label="Windows by state"]'

/** The dashboard's longest tasks on a slow device, and how soon a large grid stands after its data. */
export async function pageFigures(service: RunningService): Promise<Figure[]> {
  const filled = await fillExports(service)
  const browser = await chromium.launch({ executablePath: installBrowser(), args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ ...devices['Desktop Chrome'], timezoneId: 'UTC' })
    const page = await context.newPage()
    await page.goto(`${service.origin}/exports#key=${filled.tenant.api_key}`)
    await listed(page, 1001)
    const painted = await quietest(() => gridPaint(page, service, filled))
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    return [
      ...(await longTasks(page, stepsOf(page, service, filled))),
      {
        what: 'a grid of 10,000 windows painted, after its data',
        measured: painted,
        bound: 100,
        unit: 'ms',
      },
    ]
  } finally {
    await browser.close()
  }
}

type Step = { what: string; before: () => Promise<unknown>; act: () => Promise<unknown> }

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
    const answered = page.waitForResponse((response) => /\/runs\/\?/.test(response.url()))
    await page.locator('button', { hasText: name }).click()
    await answered
    await page.waitForLoadState('networkidle')
  }
  return [
    { what: 'opening the list of 1,000 exports', before: none, act: list },
    {
      what: 'filtering it',
      before: list,
      act: async () => {
        await search.pressSequentially('export 777')
        await page.locator('[aria-rowcount]:not([aria-rowcount="1002"])').waitFor()
        await page.waitForURL(/q=export\+777/)
        await search.fill('')
        await listed(page, 1001)
      },
    },
    { what: 'opening the grid of 10,000 windows', before: none, act: openGrid },
    { what: 'dragging over it', before: openGrid, act: () => drag(page) },
    {
      what: 'paging runs',
      before: openGrid,
      act: async () => {
        for (const name of ['Older', 'Older', 'Older', 'Newer', 'Newer'] as const) await turn(name)
      },
    },
  ]
}

/** The longest task of each step, in milliseconds; 0 where none reached 50. */
async function longTasks(page: Page, steps: Step[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { what, before, act } of steps) {
    const measured = await quietest(async () => {
      await before()
      await page.waitForLoadState('networkidle')
      const since = await page.evaluate(() => performance.timeOrigin + performance.now())
      await act()
      await page.waitForLoadState('networkidle')
      return longestTask(page, since)
    })
    const longest = `longest task, processor ${slowdown} × slower: ${what}`
    figures.push({ what: longest, measured, bound: longTaskMax, unit: 'ms' })
  }
  return figures
}

/** The longest task since then (milliseconds since 1970) that the browser has noted for the page as it is loaded now. */
async function longestTask(page: Page, since: number): Promise<number> {
  return page.evaluate(async (since) => {
    const entries: PerformanceEntry[] = []
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
    observer.observe({ type: 'longtask', buffered: true })
    // What was noted before comes in a task of its own, and so may the last one.
    await new Promise((done) => setTimeout(done, 300))
    entries.push(...observer.takeRecords())
    observer.disconnect()
    const later = entries.filter(({ startTime }) => performance.timeOrigin + startTime >= since)
    return Math.max(0, ...later.map(({ duration }) => duration))
  }, since)
}

/** From the last byte of a coverage until the frame after the one in which its legend stands, in milliseconds. */
async function gridPaint(page: Page, service: RunningService, { grid }: Filled): Promise<number> {
  const length = Date.parse(grid.end) - Date.parse(grid.start)
  const later = (time: string) => new Date(Date.parse(time) + length).toISOString()
  const path = `/exports/${grid.id}?from=${later(grid.start)}&to=${later(grid.end)}`
  await page.goto(service.origin + path)
  await page.locator(legend).waitFor()
  await page.waitForLoadState('networkidle')
  const painted = page.evaluate(async (legend) => {
    const told = () => document.querySelector(legend)?.textContent ?? ''
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    while (!told().includes('10,000 completed')) await frame()
    // The next frame begins once the one with the grid has been handed on.
    await frame()
    const now = performance.now()
    const answers = performance.getEntriesByType('resource')
    const answer = answers.findLast(({ name }) => name.includes('/coverage/'))
    return answer instanceof PerformanceResourceTiming ? now - answer.responseEnd : Number.NaN
  }, legend)
  await page.locator('[aria-label="Earlier"]').click()
  return painted
}

/** From among the first windows to the last in sight and half the way back, a frame's way at a time. */
async function drag(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0))
  const box = await page.locator('[aria-label="Windows of the period"]').locator('..').boundingBox()
  if (!box) throw new Error('The grid is not to be seen')
  const bottom = Math.min(box.y + box.height, 700) - 5
  await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.95, bottom, { steps: 40 })
  await page.mouse.move(box.x + box.width * 0.6, box.y + 150, { steps: 40 })
  await page.mouse.up()
  await page.locator('output', { hasText: 'windows selected' }).waitFor()
}

/** The list shows so many exports. */
async function listed(page: Page, exports: number): Promise<void> {
  await page.locator(`[aria-rowcount="${exports + 1}"]`).waitFor()
}

async function completed(page: Page): Promise<void> {
  await page.locator(legend, { hasText: '10,000 completed' }).waitFor()
}

/** The least of some rounds: what others do on the machine only ever adds to it. */
async function quietest(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) least = Math.min(least, await measure())
  return least
}
