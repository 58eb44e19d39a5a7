import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test as base, type Locator, type Page } from '@playwright/test'
import { endedPeriod } from '../src/contract/interval.ts'
import { requestImport } from '../src/service/capture/import/import-job.ts'
import { startMailServer } from '../src/service/testing/mail-server.ts'
import { withStore } from './connect-store.ts'
import { createTenant } from './create-tenant.ts'
import { startService, type RunningService } from './service.ts'

export { expectAccessible } from './expect-accessible.ts'

export type Tenant = { organization_id: string; project_id: number; project_token: string; api_key: string }

/** Start of the current test: `hoursAgo` counts from its hour, even if an hour ends during the test. */
let testStartedAt = Date.now()

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Playwright's `test` with a real service and mail server per worker and a new organization per test. */
export const test = base.extend<{ tenant: Tenant }, { mailServer: MailServer; service: RunningService }>({
  mailServer: [
    async ({}, use) => {
      const mailServer = await startMailServer()
      await use(mailServer)
      mailServer.stop()
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ mailServer }, use) => {
      const env = { SPOOL_SMTP_URL: mailServer.url, SPOOL_SMTP_FROM: 'spool@shop.example' }
      const service = await startService({ env })
      await use(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  tenant: async ({ service }, use, { title }) => {
    testStartedAt = Date.now()
    await use(await createTenant(service, title.slice(0, 60)))
  },
})

/** Waits for an e-mail to an address whose subject has these words, and returns the link in it. */
export async function mailedLink({ received }: MailServer, to: string, subject: string): Promise<string> {
  const isWanted = ({ recipients, text }: MailServer['received'][number]) =>
    recipients.includes(to) && /^Subject: .*/m.exec(text)?.[0].includes(subject)
  await expect.poll(() => received.some(isWanted), { timeout: 10_000 }).toBe(true)
  return /^https?:\S+$/m.exec(received.findLast(isWanted)?.text ?? '')?.[0] ?? ''
}

/** Signs in with a key in the URL, like the printed sign-in URL. */
export async function signIn(
  page: Page,
  service: RunningService,
  apiKey: string,
  path = '/exports',
): Promise<void> {
  await page.goto(`${service.origin}${path}#key=${apiKey}`)
  await expect(page).not.toHaveURL(/#key=/)
}

/** Unfolds the form of a key on the sign-in page, where others have passwords, and returns its field. */
export async function keyField(page: Page): Promise<Locator> {
  const field = page.getByLabel('API key')
  await page.locator('details', { has: field }).evaluate((details) => details.setAttribute('open', ''))
  return field
}

/** Returns the table rows that contain all these texts. */
export function rowWith(page: Page, ...texts: string[]): Locator {
  return texts.reduce((rows, hasText) => rows.filter({ hasText }), page.getByRole('row'))
}

/** Returns the link of this name in the navigation, because links on the page can have the same name. */
export function navigationLink(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
}

/** Opens the menu of the user's account and returns it. */
export async function openAccountMenu(page: Page): Promise<Locator> {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('button', { name: /^Account: / }).click()
  return page.getByRole('menu', { name: 'Account' })
}

/** Opens the menu of settings in the sidebar. */
export async function openSettings(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('button', { name: /^Settings/ }).click()
}

/** Sends a request below the tenant's project that changes something. */
export async function send(
  service: RunningService,
  tenant: Tenant,
  path: string,
  body: object,
  method = 'POST',
): Promise<void> {
  const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

/**
 * Creates an export through the API. With `end_at: hoursAgo(0)`, the schedule adds no runs to those that a test counts.
 */
export async function createExport(
  service: RunningService,
  tenant: Tenant,
  given: Record<string, unknown>,
): Promise<{ id: string; name: string }> {
  const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/batch_exports/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      interval: 'hour',
      destination: { type: 'File', config: { path: randomUUID() } },
      ...given,
    }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return await response.json()
}

/** Creates an export whose folder is a file, with five runs that will fail because of it. */
export async function createFailingExport(
  service: RunningService,
  tenant: Tenant,
  name: string,
): Promise<{ id: string; inTheWay: string }> {
  const path = `${name}-${tenant.project_id}`
  const inTheWay = join(service.dataDirectory, 'exports', String(tenant.project_id), path)
  await mkdir(dirname(inTheWay), { recursive: true })
  await writeFile(inTheWay, 'A file.')
  const { id } = await createExport(service, tenant, {
    name,
    end_at: hoursAgo(0),
    destination: { type: 'File', config: { path } },
  })
  await importEvents(service, tenant, { hours: 5, perHour: 3 })
  await backfillHours(service, tenant, id, { from: 5, to: 0 })
  return { id, inTheWay }
}

/** Returns the current names of a tenant's exports. */
export async function exportNames(service: RunningService, tenant: Tenant): Promise<string[]> {
  const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/batch_exports/`, {
    headers: { authorization: `Bearer ${tenant.api_key}` },
  })
  const { results }: { results: { name: string }[] } = await response.json()
  return results.map(({ name }) => name)
}

/** Backfills hours of an export through the API; `from` and `to` count hours before the one in which the test began. */
export async function backfillHours(
  service: RunningService,
  tenant: Tenant,
  exportId: string,
  hours: { from: number; to: number },
): Promise<void> {
  const path = `/api/projects/${tenant.project_id}/batch_exports/${exportId}/backfill/`
  const response = await fetch(service.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ start_at: hoursAgo(hours.from), end_at: hoursAgo(hours.to) }),
  })
  if (response.status !== 200) throw new Error(await response.text())
}

/** Imports events for each of the last hours before the one in which the test began. */
export async function importEvents(
  service: RunningService,
  tenant: Tenant,
  { hours, perHour }: { hours: number; perHour: number },
): Promise<void> {
  const lines = Array.from({ length: hours * perHour }, (_, index) =>
    JSON.stringify({
      uuid: randomUUID(),
      event: 'order placed',
      distinct_id: `customer-${index}`,
      timestamp: hoursAgo(1 + (index % hours)),
      properties: { total: index },
    }),
  )
  const file = join(service.dataDirectory, `events-${tenant.project_id}.jsonl`)
  await writeFile(file, lines.join('\n'))
  // Like `admin events import`, but without starting a process.
  const pace = { pollMs: 50, unservedMsMax: 15_000 }
  await withStore(service, (store) => requestImport(store, { projectId: tenant.project_id, file }, pace))
}

/** Returns the start of an hour, counted back from the one in which the test began, as ISO 8601. */
export function hoursAgo(hours: number): string {
  return new Date(endedPeriod('hour', testStartedAt, hours).start).toISOString()
}

/**
 * Stops the page's clock, starts an action with a countdown, and hovers over its Undo button, which pauses the countdown. The
 * clock must be installed; it jumps ahead by a minute.
 */
export async function holdUndo(page: Page, begin: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await begin()
  await page.getByRole('button', { name: 'Undo' }).hover()
  await page.clock.resume()
}

/** Advances the clock past the six seconds in which the last action can be undone. The clock must be installed. */
export async function passUndo(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Undo' }).last()).toBeVisible()
  await page.clock.runFor(6_000)
}

/** Advances the clock until an idle page polls again. The clock must be installed. */
export async function passRest(page: Page): Promise<void> {
  await page.clock.runFor(15_000)
}

type TabKey = 'Tab' | 'Shift+Tab'

/** Presses Tab (or Shift+Tab) until `target` is focused, and checks that the focus is visible at every step. */
export async function tabTo(page: Page, target: Locator, key: TabKey = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let pressed = 0; pressed < 100; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
    expect(await page.evaluate(invisibleFocus)).toBeNull()
  }
  throw new Error(`${key} does not reach ${String(target)}`)
}

/** Tabs to a field and replaces its text. */
export async function tabAndType(page: Page, label: string, text: string, key?: TabKey): Promise<void> {
  await tabTo(page, page.getByLabel(label), key)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Returns the focused element if it has no outline or is outside the window; null if it is visible or nothing is focused. */
function invisibleFocus(): string | null {
  const focused = document.activeElement
  if (!focused || focused === document.body) return null
  // The browser itself outlines the button inside a date field.
  let isOutlined = focused.matches('[type^=date]')
  for (let around: Element | null = focused; around && !isOutlined; around = around.parentElement)
    isOutlined = getComputedStyle(around).outlineStyle !== 'none'
  const { top, bottom, left, right } = focused.getBoundingClientRect()
  const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
  return isOutlined && isInWindow ? null : focused.outerHTML.slice(0, 200)
}
