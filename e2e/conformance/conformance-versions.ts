import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { expect, type Browser, type Page } from '@playwright/test'
import { isFromPlugin, networkPlugin, type RecordedEvent } from '../../src/replay/recorded/rrweb.ts'
import { isRecording } from '../is-recording.ts'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'
import { serveVisitedPage } from '../visited-page.ts'

/** Folders of the posthog-js packages that `npm test` tries; each requests its configuration differently. */
export const installedVersions = {
  newest: packageFolder(import.meta.resolve('posthog-js/package.json')),
  '1.130': packageFolder(import.meta.resolve('posthog-js-1.130/package.json')),
  '1.300': packageFolder(import.meta.resolve('posthog-js-1.300/package.json')),
}

/** Versions of posthog-js that start differently from earlier ones. */
export const otherVersions = ['1.100.0', '1.180.1', '1.215.7', '1.236.8', '1.260.3', '1.345.5', '1.380.1']

/** Captured parts of a visit; the lists are sorted. */
export type CapturedVisit = {
  /** Names of the events that all versions send. */
  events: string[]
  clicks: number
  keypresses: number
  errors: number
  /** Paths of the recorded requests to the page's own server. */
  requests: string[]
  /** URLs that failed to load. */
  failures: string[]
}

const password = 'tr0ub4dor'

/** The parts of the visit that every version must capture. */
export const wholeVisit: CapturedVisit = {
  events: ['$autocapture', '$autocapture', '$autocapture', '$pageview', 'lamps added'],
  clicks: 3,
  keypresses: password.length,
  errors: 1,
  requests: ['/stock'],
  failures: [],
}

function packageFolder(url: string): string {
  return dirname(fileURLToPath(url))
}

/** Captures a visit with every version; returns the missing parts of each, "" if it captures everything. */
export async function compareVersions(
  browser: Browser,
  service: RunningService,
  folder: string,
): Promise<{ version: string; missing: string }[]> {
  const rows: { version: string; missing: string }[] = []
  const packages = new Map(Object.entries(installedVersions))
  for (const version of otherVersions) packages.set(version, await installPostHog(version, folder))
  for (const [version, source] of packages) {
    const tenant = await service.admin<Tenant>('organization', 'create', '--name', version)
    const page = await browser.newPage()
    const visit: Record<string, unknown> = await captureVisit(page, service, tenant, source)
    await page.close()
    const wrong = Object.entries(wholeVisit).filter(([key, value]) => !isDeepStrictEqual(visit[key], value))
    const missing = wrong.map(([key]) => `${key}: ${JSON.stringify(visit[key])}`).join(', ')
    rows.push({ version, missing })
  }
  return rows
}

/** Installs a version below a folder, and returns the folder of its package. */
export async function installPostHog(version: string, parent: string): Promise<string> {
  const folder = join(parent, `posthog-js-${version}`)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags, `posthog-js@${version}`])
  return join(folder, 'node_modules/posthog-js')
}

/**
 * Visits a page that uses the posthog-js package in a folder with only a token and the service's URL. Returns the
 * captured visit once it equals `wholeVisit`, or after a time limit.
 */
export async function captureVisit(
  page: Page,
  service: RunningService,
  tenant: Tenant,
  folder: string,
): Promise<CapturedVisit> {
  const failures: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(response.url())
  })
  const shop = await serveVisitedPage(service.origin, tenant.project_token, { folder })
  await page.goto(shop.url)
  await page.waitForFunction(isRecording)
  await page.getByRole('button', { name: 'Add the brass lamp' }).click()
  await page.getByRole('button', { name: 'Add the brass lamp' }).click()
  await page.getByLabel('Password').click()
  await page.getByLabel('Password').pressSequentially(password)
  await page.evaluate(async () => {
    console.error('The lamp could not be lit')
    await fetch('/stock')
    const { posthog } = window as unknown as { posthog: { capture(event: string): void } }
    posthog.capture('lamps added')
  })
  let visit = wholeVisit
  const isWhole = async () => {
    visit = { ...(await storedVisit(service, tenant)), failures }
    return isDeepStrictEqual(visit, wholeVisit)
  }
  await expect
    .poll(isWhole)
    .toBe(true)
    .catch(() => undefined)
  await page.goto('about:blank')
  shop.stop()
  return visit
}

async function storedVisit({ origin }: RunningService, tenant: Tenant): Promise<CapturedVisit> {
  const get = async (path: string) => {
    const response = await fetch(`${origin}/api/projects/${tenant.project_id}/session_recordings/${path}`, {
      headers: { authorization: `Bearer ${tenant.api_key}` },
    })
    return response
  }
  const { results } = (await (await get('')).json()) as { results: Recording[] }
  const [recording] = results
  if (!recording) return { events: [], clicks: 0, keypresses: 0, errors: 0, requests: [], failures: [] }
  const events = (await (await get(`${recording.id}/events/`)).json()) as { results: { event: string }[] }
  const { sources } = (await (await get(`${recording.id}/snapshots/`)).json()) as { sources: unknown[] }
  const blocks = `source=blob_v2&start_blob_key=0&end_blob_key=${sources.length - 1}`
  const lines = (await (await get(`${recording.id}/snapshots/?${blocks}`)).text()).split('\n')
  const counted = new Set(wholeVisit.events)
  return {
    events: events.results.flatMap(({ event }) => (counted.has(event) ? [event] : [])).toSorted(),
    clicks: recording.click_count,
    keypresses: recording.keypress_count,
    errors: recording.console_error_count,
    requests: lines.flatMap(requestsIn).toSorted(),
    failures: [],
  }
}

type Recording = { id: string; click_count: number; keypress_count: number; console_error_count: number }

/** Returns the paths of the requests by scripts to the page's own server in a line of a recording. */
function requestsIn(line: string): string[] {
  const [, event] = JSON.parse(line) as [string, RecordedEvent]
  if (!isFromPlugin(event, networkPlugin)) return []
  const { payload } = event.data as { payload: { requests: { name: string; initiatorType?: string }[] } }
  return payload.requests.flatMap(({ name, initiatorType }) => {
    const { hostname, pathname } = new URL(name)
    return initiatorType === 'fetch' && hostname === 'shop.localhost' ? [pathname] : []
  })
}
