import { expect, type Locator } from '@playwright/test'
import {
  backfillHours,
  createExport,
  expectAccessible,
  hoursAgo,
  openAccountMenu,
  rowWith,
  signIn,
  test,
} from './journey.ts'

test('focus starts on the first field of a form, on Cancel in a confirmation, and on the heading elsewhere', async ({
  page,
  service,
  tenant,
}) => {
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key, '/settings/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await expect(page.getByLabel('Label')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.goto(`${service.origin}/exports/${id}`)
  await expect(page.getByRole('button', { name: 'Backfill', exact: true })).toBeVisible()
  await page.keyboard.press('b')
  await expect(page.getByLabel(/^From, /)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Keyboard shortcuts' })).toBeFocused()
})

test('a key that opens another page dims the title of this one meanwhile', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/exports')
  const title = page.getByRole('heading', { name: 'Batch exports', level: 1 })
  await watchPressed(title)
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: 'New export', level: 1 })).toBeVisible()
  await expect(page.locator('body[data-saw-pressed]')).toBeAttached()
  await expect(page.locator('main [data-pressed]')).toHaveCount(0)
})

test('Escape in a date field dims the dialog before it closes', async ({ page, service, tenant }) => {
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key, `/exports/${id}`)
  await page.getByRole('button', { name: 'Backfill', exact: true }).click()
  await expect(page.getByLabel(/^From, /)).toBeFocused()
  await watchPressed(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('body[data-saw-pressed]')).toBeAttached()
})

test('a clicked button dims before its menu opens; a key opens the menu at once', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key, '/exports')
  const button = page.getByRole('button', { name: 'Actions for Orders' })
  const items = page.getByRole('menu').getByRole('menuitem')
  await watchPressed(button)
  await button.click()
  await expect(items.first()).toBeFocused()
  await expect(page.locator('body[data-saw-pressed]')).toBeAttached()
  await button.click()
  await expect(page.getByRole('menu')).toBeHidden()
  await page.evaluate(() => delete document.body.dataset['sawPressed'])
  await button.press('Enter')
  await expect(items.first()).toBeFocused()
  await expect(page.locator('body[data-saw-pressed]')).toHaveCount(0)
})

test('a key right after a click is meant for the menu that the click opens', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key, '/exports')
  await expect(rowWith(page, 'Orders')).toBeVisible()
  // Blocks the paint and the timer that replaces it, so that only the key can open the menu.
  await page.evaluate(() => {
    const { setTimeout } = globalThis
    const timer = (work: () => void, ms?: number) => (ms === 100 ? 0 : setTimeout(work, ms))
    Object.assign(globalThis, { requestAnimationFrame: () => 0, setTimeout: timer })
  })
  for (const key of ['x', 'Enter']) {
    await page.getByRole('button', { name: 'Actions for Orders' }).click()
    await page.keyboard.press(key)
    await expect(page.getByRole('menu')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Select Orders' })).not.toBeChecked()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
  }
})

test('Enter right after a letter, before it is painted, chooses what matches the whole text', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/exports')
  await expect(page.getByRole('heading', { name: 'Batch exports', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find an export' })
  await expect(field).toBeFocused()
  await field.evaluate((input) => {
    document.execCommand('insertText', false, 'audit log')
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  await expect(page).toHaveURL(/\/settings\/audit/)
})

test('a backfill waits until it is known which windows need it', async ({ page, service, tenant }) => {
  const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  for (const [from, to] of [
    [5, 4],
    [2, 0],
  ] as const)
    await backfillHours(service, tenant, id, { from, to })
  const release = Promise.withResolvers<void>()
  await page.route('**/coverage/**', async (route) => {
    await release.promise
    await route.continue()
  })
  await signIn(page, service, tenant.api_key, `/exports/${id}`)
  await page.getByRole('button', { name: 'Backfill', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Backfill Orders' })
  await expect(dialog).toContainText('Finding the windows that are missing, failed or short.')
  await expect(dialog.getByRole('button', { name: 'Start backfill' })).toBeDisabled()
  release.resolve()
  await expect(dialog).toContainText('2 runs, one per window that is missing, failed or short')
  await dialog.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(dialog).toContainText('168 runs')
  await dialog.getByRole('button', { name: 'Missing, failed or short' }).click()
  await expect(dialog).toContainText('2 runs')
  await expect(dialog.getByRole('button', { name: 'Start backfill' })).toBeEnabled()
})

test('shows the actions on an export as curl, from its row and from its page', async ({
  page,
  context,
  service,
  tenant,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key)
  const dialog = page.getByRole('dialog', { name: 'Orders with curl' })
  const open = async () => {
    await page.getByRole('button', { name: 'Actions for Orders' }).click()
    await page.getByRole('menuitem', { name: 'Show as curl…' }).click()
  }
  await open()
  await dialog.getByRole('button', { name: 'Copy: Clone Orders' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^curl --globoff -X POST .*\/batch_exports\/[^]*"name": "Orders"/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await rowWith(page, 'Orders').getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await open()
  await expect(dialog.getByLabel('Command: Pause')).toContainText('/pause/')
})

test('a link to a run that does not exist says so, and offers no Retry', async ({
  page,
  service,
  tenant,
}) => {
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key, `/exports/${id}?run=xyz`)
  const drawer = page.getByRole('dialog', { name: 'Run' })
  await expect(drawer.getByText('This export has no such run.')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await expectAccessible(page)
})

test.describe('in UTC', () => {
  test.use({ timezoneId: 'UTC' })

  test('offers no choice of time zone', async ({ page, service, tenant }) => {
    const { id } = await createExport(service, tenant, { name: 'Orders' })
    await signIn(page, service, tenant.api_key, `/exports/${id}`)
    const menu = await openAccountMenu(page)
    await expect(menu.getByRole('group', { name: 'Theme' })).toBeVisible()
    await expect(page.getByLabel('Time zone')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Backfill', exact: true }).click()
    await expect(page.getByLabel('From, UTC time')).toBeVisible()
    await expect(page.getByLabel('Time zone')).toHaveCount(0)
  })
})

test('in a low window, the pages in the sidebar scroll, and its foot stays', async ({
  page,
  service,
  tenant,
}) => {
  await page.setViewportSize({ width: 1280, height: 420 })
  await signIn(page, service, tenant.api_key)
  await expect(page.getByRole('button', { name: /^Account: / })).toBeInViewport({ ratio: 1 })
  const alerts = page.getByRole('link', { name: 'Alerts' })
  await expect(alerts).not.toBeInViewport()
  await alerts.focus()
  await expect(alerts).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate('scrollY')).toBe(0)
})

test('in a narrow window, reads all scopes and cancels a backfill without scrolling', async ({
  page,
  service,
  tenant,
}) => {
  await page.setViewportSize({ width: 375, height: 700 })
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  await backfillHours(service, tenant, id, { from: 30, to: 20 })
  await signIn(page, service, tenant.api_key, `/exports/${id}/backfills`)
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 })
  const scopes = ['batch_export:read', 'session_recording:read', 'sharing_configuration:read']
  await fetch(`${service.origin}/api/personal_api_keys/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'Report', scopes }),
  })
  await page.goto(`${service.origin}/settings/keys`)
  const shown = page.getByText(scopes.join(', ')).filter({ visible: true })
  await expect(shown).toBeInViewport({ ratio: 1 })
})

test('closes an older run, and is back at the same row and scroll position', async ({
  page,
  service,
  tenant,
}) => {
  const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  await backfillHours(service, tenant, id, { from: 115, to: 0 })
  await signIn(page, service, tenant.api_key, `/exports/${id}`)
  const completed = rowWith(page, 'Completed')
  await expect(page.getByRole('list', { name: 'Windows by state' })).toContainText('115 completed', {
    timeout: 60_000,
  })
  await expect(completed).toHaveCount(100)
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(completed).toHaveCount(15)

  const run = completed.nth(10).getByRole('button').first()
  const words = await run.innerText()
  await run.scrollIntoViewIfNeeded()
  const scrolled = () => page.evaluate(() => Math.round(scrollY))
  const place = await scrolled()
  expect(place).toBeGreaterThan(0)
  await run.click()
  const drawer = page.getByRole('dialog', { name: /^Run of/ })
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(run).toBeFocused()
  expect(await scrolled()).toBe(place)

  await run.click()
  await drawer.getByRole('link', { name: 'Open full page' }).click()
  await expect(page.getByRole('heading', { name: /^Run of/ })).toBeVisible()
  await page.goBack()
  await expect(drawer).toBeVisible()
  await page.goBack()
  await expect(drawer).toHaveCount(0)
  await expect(completed).toHaveCount(15)
  await expect(run).toHaveText(words)
  await expect(run).toBeInViewport()
  await expect.poll(scrolled).toBe(place)
  await page.getByRole('button', { name: 'Newer' }).click()
  await expect(completed).toHaveCount(100)
  await expect(page.getByRole('button', { name: 'Newer' })).toBeDisabled()
})

/** Marks the page once an element has looked pressed. */
async function watchPressed(locator: Locator): Promise<void> {
  await locator.evaluate((element) => {
    const watch = () => {
      if (element.hasAttribute('data-pressed')) document.body.dataset['sawPressed'] = ''
    }
    new MutationObserver(watch).observe(element, { attributes: true })
  })
}
