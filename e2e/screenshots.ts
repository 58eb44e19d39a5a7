import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, devices, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { installBrowser } from '../.ci/install-browser.ts'
import { endedPeriod } from '../src/contract/interval.ts'
import { decodeStrip, type ExportOverview } from '../src/contract/exports/overview.ts'
import type { PagePath } from '../src/dashboard/shell/pages.ts'
import { pagePath, type SampleIds } from './page-path.ts'
import { sceneName, scenes, type Scene } from './screenshot-scenes.ts'
import { startService, type RunningService } from './service.ts'
import { cleanUpAtEnd } from '../.ci/clean-up-at-end.ts'

/*
 * Takes a screenshot of every page with sample data, in both themes and three widths, and the documents' pictures; with
 * --documents, only these.
 */

type Overview = { at: string; results: ExportOverview[] }

const project = '/api/projects/1/batch_exports/'
const recordings = '/api/projects/1/session_recordings/'
const root = resolve(import.meta.dirname, '..')
const { values: options, positionals } = parseArgs({
  options: { documents: { type: 'boolean' } },
  allowPositionals: true,
})
const folder = resolve(positionals[0] ?? join(root, 'test-results/screenshots'))
const themes = ['light', 'dark'] as const
const widths = [1920, 1280, 375] as const
/** Pages shown in the README and in .github/docs, with their file names in .github. */
const inDocuments: Partial<Record<PagePath, string>> = {
  '/exports': 'exports',
  '/exports/$id': 'export',
  '/recordings/$id': 'recording',
}
const height = 800

cleanUpAtEnd()
await mkdir(folder, { recursive: true })
const service = await startService({ env: { SPOOL_SAMPLE_DATA: 'on' } })
try {
  const sample = await prepareSample(service)
  const args = ['--no-sandbox', '--lang=en-GB']
  const browser = await chromium.launch({ executablePath: installBrowser(), args })
  if (!options.documents) await takeAll(browser, service, sample)
  await takeForDocuments(browser, service, sample)
  await browser.close()
} finally {
  await service.stop()
}

async function takeAll(browser: Browser, { signInUrl, origin }: RunningService, sample: SampleIds) {
  for (const colorScheme of themes)
    for (const width of widths) {
      const context = await openContext(browser, colorScheme, width)
      const page = await signedIn(context, signInUrl)
      for (const scene of scenes.filter(({ to }) => to !== '/login')) {
        await show(page, origin, scene, sample)
        const path = join(folder, `${sceneName(scene)}-${colorScheme}-${width}.png`)
        if (!scene.overlay) await stretch(page, width)
        await page.screenshot({ path })
        await page.setViewportSize({ width, height })
      }
      const signedOut = await (await openContext(browser, colorScheme, width)).newPage()
      await show(signedOut, origin, { to: '/login' }, sample)
      await signedOut.screenshot({ path: join(folder, `login-${colorScheme}-${width}.png`) })
      await Promise.all([context.close(), signedOut.context().close()])
    }
}

/** Takes the documents' pictures, at a higher pixel density. */
async function takeForDocuments(browser: Browser, { signInUrl, origin }: RunningService, sample: SampleIds) {
  for (const colorScheme of themes) {
    const context = await openContext(browser, colorScheme, 1280, 1.4)
    const page = await signedIn(context, signInUrl)
    for (const scene of scenes) {
      const name = inDocuments[scene.to]
      if (name === undefined || scene.name !== undefined) continue
      await page.setViewportSize({ width: 1280, height: name === 'exports' ? 510 : 680 })
      await show(page, origin, scene, sample)
      const ending = colorScheme === 'dark' ? '-dark.png' : '.png'
      await page.screenshot({ path: join(root, '.github', `${name}${ending}`) })
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
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  return page
}

async function show(page: Page, origin: string, scene: Scene, sample: SampleIds): Promise<void> {
  const { search = '', prepare } = scene
  await page.goto(origin + pagePath(scene, sample) + search)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** Grows the viewport to the page's height. Unlike in a full-page screenshot, sticky elements stay at its edges. */
async function stretch(page: Page, width: number): Promise<void> {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, whole) })
  await page.waitForLoadState('networkidle')
}

/** Adds what the sample data lacks (a backfill, a configuration change, a second key) and waits for all runs. */
async function prepareSample(service: RunningService): Promise<SampleIds> {
  const named = (results: readonly ExportOverview[], name: string) => {
    const found = results.find((each) => each.name === name)
    if (!found) throw new Error(`The sample data has no export “${name}”`)
    return found
  }
  const { results } = await waitForRuns(service, 8)
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
  await waitForRuns(service, 8)
  const recording = await recordingWithErrors(service)
  const { access_token: link } = await request<{ access_token: string }>(
    service,
    'PATCH',
    `${recordings}${recording}/sharing/`,
    { enabled: true },
  )
  const summary = await request<{ id: string }>(service, 'POST', `${recordings}summaries/`, { filter: {} })
  const collection = await request<{ id: string }>(
    service,
    'POST',
    '/api/projects/1/session_recording_playlists/',
    {
      name: 'Broken checkout',
      query: new URLSearchParams({
        properties: JSON.stringify([
          { type: 'recording', key: 'console_error_count', operator: 'gte', value: 1 },
        ]),
      }).toString(),
    },
  )
  const failing = named(results, 'Finance hand-over')
  const failedRuns = `${project}${failing.id}/runs/?status=Failed`
  const runs = await request<{ results: { id: string }[] }>(service, 'GET', failedRuns)
  const [failedRun] = runs.results
  if (!failedRun) throw new Error('The sample data has no failed run')
  return {
    'healthy export': lake.id,
    'export with gaps': named(results, 'Search terms').id,
    'failing export': failing.id,
    'failed run': failedRun.id,
    recording,
    'group summary': summary.id,
    collection: collection.id,
    link,
    person: await returningVisitor(service),
    erasure: await erasedVisitor(service),
  }
}

/** Erases a person of the sample data; returns the id of the erasure, once it has finished. */
async function erasedVisitor(service: RunningService): Promise<string> {
  const path = '/api/projects/1/persons/'
  type Found = { results: { uuid: string; name: string }[] }
  const { results } = await request<Found>(service, 'GET', `${path}?search=a`)
  const person = results.find(({ name }) => !name.startsWith('noor.bakker'))
  if (!person) throw new Error('The sample data has no person to erase')
  const { id } = await request<{ id: string }>(service, 'POST', `${path}${person.uuid}/erase/`, {
    confirm: person.name,
  })
  return id
}

/** Returns the UUID of a person who visited more than once. */
async function returningVisitor(service: RunningService): Promise<string> {
  const path = '/api/projects/1/persons/?search=noor.bakker@'
  const { results } = await request<{ results: { uuid: string }[] }>(service, 'GET', path)
  const [person] = results
  if (!person) throw new Error('The sample data has no recordings of Noor Bakker')
  return person.uuid
}

/** Returns the identified person's recording with the most console errors. */
async function recordingWithErrors(service: RunningService): Promise<string> {
  type Recording = { id: string; person: { name: string | null } | null }
  const path = `${recordings}?order=console_error_count&limit=40`
  const { results } = await request<{ results: Recording[] }>(service, 'GET', path)
  const identified = results.find(({ person }) => person?.name?.includes('@'))
  if (!identified) throw new Error('The sample data has no recording of an identified person')
  return identified.id
}

/** Returns the overview once it has `exports` exports and none of their windows waits for a run. */
async function waitForRuns(service: RunningService, exports: number): Promise<Overview> {
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

async function request<Body>(
  { origin, signInUrl }: RunningService,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const key = new URLSearchParams(new URL(signInUrl).hash.slice(1)).get('key')
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return await response.json()
}

function hoursAgo(hours: number): string {
  return new Date(endedPeriod('hour', Date.now(), hours).start).toISOString()
}
