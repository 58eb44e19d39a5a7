import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test as base, type Locator, type Page } from '@playwright/test'
import { endedPeriod } from '../src/contract/interval.ts'
import { startService, type RunningService } from './service.ts'

export type Tenant = { organization_id: string; project_id: number; project_token: string; api_key: string }

/** When a journey began: its hour is the same to the journey's end, though the clock strikes meanwhile. */
let journeyBegan = Date.now()

/** One real service for all journeys of a worker; each journey mints an organization of its own. */
export const test = base.extend<{ tenant: Tenant }, { service: RunningService }>({
  service: [
    async ({}, use) => {
      const service = await startService()
      await use(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  tenant: async ({ service }, use, { title }) => {
    journeyBegan = Date.now()
    await use(await service.admin<Tenant>('organization', 'create', '--name', title.slice(0, 60)))
  },
})

/** Signs in as the printed URL does. */
export async function signIn(
  page: Page,
  service: RunningService,
  apiKey: string,
  path = '/exports',
): Promise<void> {
  await page.goto(`${service.origin}${path}#key=${apiKey}`)
  await expect(page).not.toHaveURL(/#key=/)
}

/** The row of a table that holds all these texts. */
export function rowWith(page: Page, ...texts: string[]): Locator {
  return texts.reduce((rows, hasText) => rows.filter({ hasText }), page.getByRole('row'))
}

/**
 * Creates an export by the API, for journeys that are about something else. With `end_at: hoursAgo(0)` no scheduled run joins
 * those that a journey counts.
 */
export async function createExport(
  service: RunningService,
  tenant: Tenant,
  given: Record<string, unknown>,
): Promise<{ id: string; name: string }> {
  const answer = await fetch(`${service.origin}/api/projects/${tenant.project_id}/batch_exports/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      interval: 'hour',
      destination: { type: 'File', config: { path: 'out' } },
      ...given,
    }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  return await answer.json()
}

/** An export whose folder is a file, with five runs that are about to fail for it. */
export async function createFailingExport(
  service: RunningService,
  tenant: Tenant,
  name: string,
): Promise<{ id: string; inTheWay: string }> {
  const path = `${name}-${tenant.project_id}`
  const inTheWay = join(service.dataDirectory, 'exports', path)
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

/** The names of a tenant's exports, as the service has them now. */
export async function exportNames(service: RunningService, tenant: Tenant): Promise<string[]> {
  const answer = await fetch(`${service.origin}/api/projects/${tenant.project_id}/batch_exports/`, {
    headers: { authorization: `Bearer ${tenant.api_key}` },
  })
  const { results }: { results: { name: string }[] } = await answer.json()
  return results.map(({ name }) => name)
}

/** Backfills some hours of an export by the API: `from` and `to` are hours before the one in which the journey began. */
export async function backfillHours(
  service: RunningService,
  tenant: Tenant,
  exportId: string,
  hours: { from: number; to: number },
): Promise<void> {
  const path = `/api/projects/${tenant.project_id}/batch_exports/${exportId}/backfill/`
  const answer = await fetch(service.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ start_at: hoursAgo(hours.from), end_at: hoursAgo(hours.to) }),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
}

/** Brings in this many events for each of the last hours, up to the one in which the journey began. */
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
  await service.admin('events', 'import', file, '--project', String(tenant.project_id))
}

/** The start of the hour so many hours before the one in which the journey began, as ISO 8601. */
export function hoursAgo(hours: number): string {
  return new Date(endedPeriod('hour', journeyBegan, hours).start).toISOString()
}

/**
 * Stops the page's clock, does what begins a countdown, and reaches for its Undo: under the pointer it waits, however long what
 * follows takes. The clock must be installed; it jumps ahead by a minute.
 */
export async function holdUndo(page: Page, begin: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await begin()
  await page.getByRole('button', { name: 'Undo' }).hover()
  await page.clock.resume()
}

/** Lets the six seconds pass in which what has just begun could be undone. The clock must be installed. */
export async function passUndo(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Undo' }).last()).toBeVisible()
  await page.clock.runFor(6_000)
}

/** Lets as much time pass as a page at rest waits before it looks again. The clock must be installed. */
export async function passRest(page: Page): Promise<void> {
  await page.clock.runFor(15_000)
}

type TabKey = 'Tab' | 'Shift+Tab'

/** Goes on with Tab, or back, as who has no mouse, until this has the focus; sees at every step where the focus is. */
export async function tabTo(page: Page, target: Locator, key: TabKey = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let pressed = 0; pressed < 100; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
    expect(await page.evaluate(unseenFocus)).toBeNull()
  }
  throw new Error(`${key} does not lead to ${String(target)}`)
}

/** Types a text into a field that Tab leads to, instead of what is in it. */
export async function tabAndType(page: Page, label: string, text: string, key?: TabKey): Promise<void> {
  await tabTo(page, page.getByLabel(label), key)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** What has the focus without a frame around it, or outside of the window; null when it is seen, or when it has left the page. */
function unseenFocus(): string | null {
  const focused = document.activeElement
  if (!focused || focused === document.body) return null
  // The button inside of a date field is framed by the browser itself.
  let isFramed = focused.matches('[type^=date]')
  for (let around: Element | null = focused; around && !isFramed; around = around.parentElement)
    isFramed = getComputedStyle(around).outlineStyle !== 'none'
  const { top, bottom, left, right } = focused.getBoundingClientRect()
  const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
  return isFramed && isInWindow ? null : focused.outerHTML.slice(0, 200)
}

/** No accessibility violation on the page as it is, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect.poll(() => page.evaluate(fadingElements)).toEqual([])
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect(found, `${page.url()} in the ${colorScheme} theme`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
}

/** What fades or changes its colour right now: half seen, it lacks the contrast that it is about to have. */
function fadingElements(): string[] {
  return document.getAnimations().flatMap(({ effect, playState }) => {
    const end = effect?.getComputedTiming().endTime
    // What takes longer is a time that runs out, what has no time is moved by scrolling.
    const isFading = playState === 'running' && typeof end === 'number' && end < 1000
    return isFading && effect instanceof KeyframeEffect ? [effect.target?.outerHTML ?? ''] : []
  })
}
