import { readFile } from 'node:fs/promises'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { isRecording } from './is-recording.ts'
import { expectAccessible, navigationLink, rowWith, test } from './journey.ts'
import { recordedPage } from './recorded-shop.ts'
import type { RunningService } from './service.ts'

/* Tries out recordings as a new user would: visits the demo shop, then watches the recording. */

const password = 'correct-horse-battery'
const code = 'SUMMER-4711'

type ShopVisit = { session: string; text: string }

test('visits the demo shop, then finds, watches, summarizes and shares the recording', async ({
  browser,
  page,
  service,
}) => {
  const visitor = await browser.newContext()
  const email = 'noor@example.com'
  const seen = await visitShop(await visitor.newPage(), service, email)
  // A closed browser would not finish the requests that the page sends on leaving.
  await expectStored(service, seen, email)
  await visitor.close()
  await expectWatched(page, service, seen, email)

  await navigationLink(page, 'Recordings').click()
  const row = rowWith(page, email)
  await row.hover()
  await row.getByRole('button', { name: 'Summarize' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('region', { name: 'What went wrong' })).toContainText('Coupon')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await row.hover()
  await row.getByRole('button', { name: 'Share' }).click()
  await dialog.getByRole('switch', { name: 'Share by link' }).click()
  await dialog.getByRole('button', { name: /show/i }).click()
  const link = (await dialog.getByText(/\/shared\//).textContent()) ?? ''
  const stranger = await browser.newContext()
  const opened = await stranger.newPage()
  await opened.goto(link)
  await opened.getByRole('slider', { name: 'Playback position' }).press('End')
  await expect(recordedPage(opened).getByText('This did not work. Please try again.')).toBeVisible()
  await expect(opened.getByText(email)).toHaveCount(0)

  const revoked = page.waitForResponse((response) => response.request().method() !== 'GET')
  await dialog.getByRole('switch', { name: 'Share by link' }).click()
  await revoked
  await opened.reload()
  await expect(opened.getByRole('heading', { name: 'This link was revoked' })).toBeVisible()
  await stranger.close()
})

test('a recording by posthog-js 1.130 (2024) replays as the visitor saw it', async ({
  browser,
  page,
  service,
}) => {
  const visitor = await browser.newContext()
  const email = 'ada@example.com'
  await serveOldLibrary(visitor)
  const seen = await visitShop(await visitor.newPage(), service, email)
  await expectStored(service, seen, email)
  await visitor.close()
  await expectWatched(page, service, seen, email)
})

/** Signs in to the shop, adds a lamp to the cart and redeems a coupon, which fails. */
async function visitShop(page: Page, { origin }: RunningService, email: string): Promise<ShopVisit> {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await openPage(page, () => page.goto(`${origin}/demo/`))
  expect(errors).toEqual([])
  await openPage(page, () => page.getByRole('link', { name: 'Account' }).click())
  await page.getByLabel('E-mail').pressSequentially(email)
  await page.getByLabel('Password').pressSequentially(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await openPage(page, () => page.getByRole('link', { name: 'Lamps' }).click())
  await openPage(page, () => page.getByRole('link', { name: 'Globe pendant' }).click())
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await openPage(page, () => page.getByRole('link', { name: /^Cart/ }).click())
  await page.getByLabel('Coupon').pressSequentially(code)
  await page.getByRole('button', { name: 'Redeem' }).click()
  const session = await page.evaluate(() => (window as unknown as RecordedWindow).posthog.get_session_id())
  const text = await page.locator('body').innerText()
  await page.goto('about:blank')
  return { session, text }
}

async function expectStored(service: RunningService, { session }: ShopVisit, email: string): Promise<void> {
  const api = apiOf(service)
  await expect
    .poll(() => api(`${session}/`), { timeout: 30_000 })
    .toMatchObject({
      console_error_count: 1,
      // Each input event counts as a keypress, including those of checkboxes and number fields.
      keypress_count: email.length + password.length + code.length,
      start_url: `${service.origin}/demo/`,
      person: { name: email },
    })
  const events = await snapshotsOf(service, session)
  expect(events).toContain(`Coupon ${code} rejected`)
  expect(events).not.toContain(password)
}

/** Finds the recording in the list, and expects its end to show what the visitor saw. */
async function expectWatched(
  page: Page,
  service: RunningService,
  { text }: ShopVisit,
  email: string,
): Promise<void> {
  await page.goto(service.signInUrl)
  await navigationLink(page, 'Recordings').click()
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
  await page.getByRole('slider', { name: 'Playback position' }).press('End')
  await expect.poll(() => recordedPage(page).locator('body').innerText(), { timeout: 30_000 }).toBe(text)
}

type RecordedWindow = { posthog: { get_session_id(): string } }

/** Opens another page, and waits until it is recorded. */
async function openPage(page: Page, go: () => Promise<unknown>): Promise<void> {
  const loaded = page.waitForEvent('load')
  await go()
  await loaded
  await page.waitForFunction(isRecording)
}

async function serveOldLibrary(context: BrowserContext): Promise<void> {
  for (const name of ['array', 'recorder']) {
    const body = await readFile(new URL(import.meta.resolve(`posthog-js-1.130/dist/${name}.js`)))
    await context.route(
      (url) => url.pathname.startsWith('/static/') && url.pathname.endsWith(`/${name}.js`),
      (route) => route.fulfill({ contentType: 'text/javascript', body }),
    )
  }
}

/** Returns a function that requests recordings of the first project, with the key that the service printed. */
function apiOf({ origin, signInUrl }: RunningService) {
  const headers = { authorization: `Bearer ${signInUrl.split('#key=')[1]}` }
  return async (path: string): Promise<unknown> => {
    const response = await fetch(`${origin}/api/projects/@current/session_recordings/${path}`, { headers })
    return /json\b/.test(response.headers.get('content-type') ?? '') ? response.json() : response.text()
  }
}

async function snapshotsOf(service: RunningService, session: string): Promise<string> {
  const api = apiOf(service)
  const { sources } = (await api(`${session}/snapshots/`)) as { sources: { blob_key: string }[] }
  const end = sources.length - 1
  return String(await api(`${session}/snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=${end}`))
}
