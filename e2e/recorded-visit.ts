import { expect, type Browser, type Page } from '@playwright/test'
import { serveSite } from './conformance/site.ts'
import { isRecording } from './is-recording.ts'
import { signIn, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

export const gold = 'rgb(255, 215, 0)'
export const black = 'rgb(0, 0, 0)'

/** A recorded visit, with the moments that its acts returned, in milliseconds since the start. */
type Visit = { session: string; moments: number[] }

type Visited = { head?: string; body: string; colorScheme?: 'dark'; contrast?: 'more' }

/** Records a visit of a page; `act` acts as the visitor, and calls `mark` between the steps. */
export async function recordVisit(
  browser: Browser,
  service: RunningService,
  tenant: Tenant,
  { head = '', body, ...preferences }: Visited,
  act: (page: Page, mark: () => Promise<void>) => Promise<void>,
): Promise<Visit> {
  const recorded = { name: 'state', head, body }
  const site = await serveSite([recorded], service, tenant)
  const page = await browser.newPage({ colorScheme: 'light', ...preferences })
  await page.goto(site.url(recorded))
  await page.waitForFunction(isRecording)
  await page.mouse.click(600, 600)
  const times: number[] = []
  // The player's slider has steps of 100 ms.
  const mark = async () => {
    const time = await page.evaluate(() => Date.now())
    await page.waitForFunction((time) => Date.now() > time + 400, time)
    times.push(time + 200)
  }
  await act(page, mark)
  await page.evaluate(() => console.log('the end'))
  const session = await page.evaluate(() =>
    (window as unknown as { posthog: { get_session_id(): string } }).posthog.get_session_id(),
  )
  const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/`
  const headers = { authorization: `Bearer ${tenant.api_key}` }
  const stored = async () => {
    const { sources = [] } = await (await fetch(`${url}snapshots/`, { headers })).json()
    const last = sources.at(-1)?.blob_key
    const query = `source=blob_v2&start_blob_key=0&end_blob_key=${last}`
    return last === undefined ? '' : await (await fetch(`${url}snapshots/?${query}`, { headers })).text()
  }
  await expect.poll(stored, { timeout: 60_000 }).toContain('the end')
  await page.close()
  site.stop()
  const { start_time: start } = await (await fetch(url, { headers })).json()
  return { session, moments: times.map((time) => time - Date.parse(start)) }
}

/** Opens the player, paused; a browser without an emulated color scheme lets frames have another one. */
export async function openVisit(
  browser: Browser,
  service: RunningService,
  { api_key }: Tenant,
  { session }: Visit,
): Promise<Page> {
  const page = await browser.newPage({ colorScheme: null, reducedMotion: 'reduce' })
  await signIn(page, service, api_key, `/recordings/${session}`)
  return page
}

export async function seekTo(page: Page, moment: number | undefined): Promise<void> {
  const step = Math.floor((moment ?? 0) / 100) * 100
  await page.getByRole('slider', { name: 'Playback position' }).fill(String(step))
}

/** Turns the addition off, as in the settings. */
export async function turnOffPageState(
  { origin }: RunningService,
  { project_id, api_key }: Tenant,
): Promise<void> {
  await fetch(`${origin}/api/projects/${project_id}/recording_settings/`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ page_state: false }),
  })
}
