import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { chromium, devices, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { installBrowser } from '../.ci/install-browser.ts'
import { endedPeriod } from '../src/contract/interval.ts'
import { decodeStrip, type ExportOverview } from '../src/contract/overview.ts'
import { startService, type RunningService } from './service.ts'

/* Takes a picture of every page with the sample in it, in both themes and two widths, and those of the README. */

type Overview = { at: string; results: ExportOverview[] }

type Scene = {
  name: string
  path: string
  /** Brings the page to where the picture is taken. */
  prepare?: (page: Page) => Promise<void>
  /** What lies over the page is pictured as it is seen; a page alone in its whole length, as on a screen of that height. */
  overlay?: true
}

const project = '/api/projects/1/batch_exports/'
const recordings = '/api/projects/1/session_recordings/'
const root = resolve(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'test-results/screenshots'))
const themes = ['light', 'dark'] as const
const widths = [1280, 375] as const
const inReadme = ['exports', 'export', 'recording']
const height = 800

await mkdir(folder, { recursive: true })
const service = await startService({ env: { SPOOL_SAMPLE_DATA: 'on' } })
try {
  const sample = await prepareSample(service)
  const args = ['--no-sandbox', '--lang=en-GB']
  const browser = await chromium.launch({ executablePath: installBrowser(), args })
  await takeAll(browser, service, sample)
  await takeForReadme(browser, service, sample)
  await browser.close()
} finally {
  await service.stop()
}

type Sample = Record<'holes' | 'lake' | 'failing', ExportOverview> & { visit: string; link: string }

function scenesOf({ holes, lake, failing, visit, link }: Sample): Scene[] {
  return [
    { name: 'exports', path: '/exports' },
    { name: 'exports-selected', path: '/exports', prepare: selectExports, overlay: true },
    { name: 'exports-none', path: '/exports?q=nowhere' },
    { name: 'export', path: `/exports/${holes.id}`, prepare: selectHole },
    { name: 'export-failing', path: `/exports/${failing.id}` },
    { name: 'run', path: `/exports/${failing.id}`, prepare: openRun, overlay: true },
    { name: 'backfills', path: `/exports/${lake.id}/backfills` },
    { name: 'logs', path: `/exports/${lake.id}/logs`, overlay: true },
    { name: 'settings', path: `/exports/${lake.id}/settings` },
    { name: 'new', path: '/exports/new' },
    { name: 'edit', path: `/exports/${lake.id}/edit` },
    { name: 'keys', path: '/settings/keys' },
    { name: 'recordings', path: '/recordings' },
    { name: 'recordings-selected', path: '/recordings', prepare: selectRecordings, overlay: true },
    { name: 'recordings-none', path: '/recordings?search=nobody' },
    { name: 'errors', path: '/recordings/errors' },
    { name: 'recording', path: `/recordings/${visit}?t=16&tab=summary`, prepare: readSummary },
    { name: 'recording-events', path: `/recordings/${visit}?t=16`, prepare: watch },
    { name: 'recording-similar', path: `/recordings/${visit}?t=16&tab=similar`, prepare: watch },
    { name: 'recording-person', path: `/recordings/${visit}?t=16&tab=person`, prepare: watch },
    { name: 'recording-sharing', path: `/recordings/${visit}?t=16&tab=sharing`, prepare: watch },
    { name: 'shared', path: `/shared/${link}?t=16`, prepare: watch, overlay: true },
    { name: 'palette', path: '/exports', prepare: openPalette, overlay: true },
    { name: 'help', path: '/exports', prepare: openHelp, overlay: true },
  ]
}

async function takeAll(browser: Browser, { signInUrl, origin }: RunningService, sample: Sample) {
  for (const colorScheme of themes)
    for (const width of widths) {
      const context = await openContext(browser, colorScheme, width)
      const page = await signedIn(context, signInUrl)
      for (const scene of scenesOf(sample)) {
        await show(page, origin, scene)
        const path = join(folder, `${scene.name}-${colorScheme}-${width}.png`)
        if (!scene.overlay) await stretch(page, width)
        await page.screenshot({ path })
        await page.setViewportSize({ width, height })
      }
      const stranger = await (await openContext(browser, colorScheme, width)).newPage()
      await show(stranger, origin, { name: 'login', path: '/login' })
      await stranger.screenshot({ path: join(folder, `login-${colorScheme}-${width}.png`) })
      await Promise.all([context.close(), stranger.context().close()])
    }
}

/** What the README shows, sharper than a plain screen shows them. */
async function takeForReadme(browser: Browser, { signInUrl, origin }: RunningService, sample: Sample) {
  for (const colorScheme of themes) {
    const context = await openContext(browser, colorScheme, 1280, 1.4)
    const page = await signedIn(context, signInUrl)
    for (const scene of scenesOf(sample).filter(({ name }) => inReadme.includes(name))) {
      await page.setViewportSize({ width: 1280, height: scene.name === 'exports' ? 510 : 680 })
      await show(page, origin, scene)
      const name = colorScheme === 'dark' ? `${scene.name}-dark` : scene.name
      await page.screenshot({ path: join(root, '.github', `${name}.png`) })
    }
    await context.close()
  }
}

async function openContext(
  browser: Browser,
  colorScheme: 'light' | 'dark',
  width: number,
  deviceScaleFactor = 1,
): Promise<BrowserContext> {
  return browser.newContext({
    ...devices['Desktop Chrome'],
    viewport: { width, height },
    deviceScaleFactor,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  })
}

async function signedIn(context: BrowserContext, signInUrl: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(signInUrl)
  await page.getByRole('heading', { name: 'Batch exports' }).waitFor()
  return page
}

async function show(page: Page, origin: string, { path, prepare }: Scene): Promise<void> {
  await page.goto(origin + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** Unlike a picture of a whole page, this leaves what sticks to the window's edges there. */
async function stretch(page: Page, width: number): Promise<void> {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, whole) })
  await page.waitForLoadState('networkidle')
}

async function selectExports(page: Page): Promise<void> {
  await page.getByLabel('Select Lake, hourly').click()
  await page.getByLabel('Select Search terms').click()
}

async function selectRecordings(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select the recording/ })
  for (const number of [1, 2, 4]) await boxes.nth(number).click()
}

/** Lets a recording play until something is seen. */
async function watch(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Pause|Play)$/ }).waitFor()
  await setTimeout(1500)
}

async function readSummary(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Summarize' }).click()
  await page.getByRole('region', { name: 'What went wrong' }).waitFor()
  await watch(page)
}

/** Selects the newest windows that were never exported. */
async function selectHole(page: Page): Promise<void> {
  const cell = page.getByRole('gridcell')
  await cell.focus()
  const is = async (state: string) => (await cell.getAttribute('aria-label'))?.endsWith(state) === true
  for (let step = 0; step < 100 && !(await is('missing')); step++) await page.keyboard.press('ArrowLeft')
  while (await is('missing')) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowRight')
  await cell.blur()
  await page.evaluate(() => scrollTo(0, 0))
}

async function openRun(page: Page): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'Failed' }).getByRole('button').first().click()
  await page.getByRole('dialog').waitFor()
}

async function openHelp(page: Page): Promise<void> {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('se')
}

/** What the sample lacks: a backfill, a change of configuration, a second key. Then all runs are waited for. */
async function prepareSample(service: RunningService): Promise<Sample> {
  const named = (results: readonly ExportOverview[], name: string) => {
    const found = results.find((each) => each.name === name)
    if (!found) throw new Error(`The sample has no export “${name}”`)
    return found
  }
  const { results } = await finished(service, 8)
  const lake = named(results, 'Lake, hourly')
  const path = `${project}${lake.id}/`
  const range = { start_at: hoursAgo(30), end_at: hoursAgo(20) }
  await request(service, 'POST', `${path}backfill/`, range)
  await request(service, 'PATCH', path, {
    destination: { type: 'File', config: { exclude_events: ['$pageleave'] } },
  })
  await request(service, 'POST', '/api/personal_api_keys/', {
    label: 'Nightly report',
    scopes: ['batch_export:read'],
  })
  await finished(service, 8)
  const visit = await errorVisit(service)
  const { access_token: link } = await request<{ access_token: string }>(
    service,
    'PATCH',
    `${recordings}${visit}/sharing/`,
    { enabled: true },
  )
  await request(service, 'POST', `${recordings}${visit}/summarize/`)
  return {
    lake,
    holes: named(results, 'Search terms'),
    failing: named(results, 'Finance hand-over'),
    visit,
    link,
  }
}

/** The visit of someone known that went wrong most often. */
async function errorVisit(service: RunningService): Promise<string> {
  type Recording = { id: string; person: { name: string | null } | null }
  const path = `${recordings}?order=console_error_count&limit=40`
  const { results } = await request<{ results: Recording[] }>(service, 'GET', path)
  const known = results.find(({ person }) => person?.name?.includes('@'))
  if (!known) throw new Error('The sample has no visit of someone known')
  return known.id
}

/** The overview as soon as it holds so many exports and no window of them waits for its run. */
async function finished(service: RunningService, exports: number): Promise<Overview> {
  for (;;) {
    const overview = await request<Overview>(service, 'GET', `${project}overview/`)
    const busy = overview.results.some(
      (each) =>
        each.running !== null ||
        decodeStrip(each, overview.at).some(({ state }) => ['due', 'waiting', 'running'].includes(state)),
    )
    if (overview.results.length >= exports && !busy) return overview
    await setTimeout(1000)
  }
}

async function request<Answer>(
  { origin, signInUrl }: RunningService,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const key = new URLSearchParams(new URL(signInUrl).hash.slice(1)).get('key')
  const answer = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return await answer.json()
}

function hoursAgo(hours: number): string {
  return new Date(endedPeriod('hour', Date.now(), hours).start).toISOString()
}
