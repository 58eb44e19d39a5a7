import { expect, type Route } from '@playwright/test'
import {
  createExport,
  expectAccessible,
  rowWith,
  signIn,
  tabAndType,
  tabTo,
  test,
  openSettings,
} from './journey.ts'

test('fails to save an export offline, keeps its input, and saves it when the network is back', async ({
  page,
  context,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/exports/new')
  await page.getByLabel('Name').fill('Orders')
  await page.getByRole('radio', { name: 'Service’s disk' }).check()
  await page.getByLabel('Folder').fill('orders/{year}')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByText('The service cannot be reached.').first()).toBeVisible()
  await expect(page.getByText('This device is offline.')).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByText('This device is offline.')).toHaveCount(0)
  await expect(page.getByLabel('Folder')).toHaveValue('orders/{year}')
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()
})

test(
  'by keyboard alone: fails to save an export offline, keeps its input, and saves it later',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    await signIn(page, service, tenant.api_key)
    await expect(page.getByText('No batch exports yet')).toBeVisible()
    await page.keyboard.press('n')
    await tabAndType(page, 'Name', 'Orders')
    await tabTo(page, page.getByRole('radio', { name: 'S3 or compatible' }))
    const disk = page.getByRole('radio', { name: 'Service’s disk' })
    while (!(await disk.isChecked())) await page.keyboard.press('ArrowDown')
    await tabAndType(page, 'Folder', 'orders/{year}')
    await context.setOffline(true)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('The service cannot be reached.').first()).toBeVisible()
    await expect(page.getByText('This device is offline.')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('This device is offline.')).toHaveCount(0)
    await expect(page.getByLabel('Folder')).toHaveValue('orders/{year}')
    await expect(page.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeFocused()
  },
)

test('sees that a pause did not reach the service, and retries it', async ({
  page,
  context,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key)
  const row = rowWith(page, 'Orders')
  await expect(row.getByRole('switch')).toBeChecked()
  await context.setOffline(true)
  await row.getByRole('switch').click()
  await expect(page.getByText(/Orders could not be paused/)).toBeVisible()
  await expect(row.getByRole('switch')).toBeChecked()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByText('This device is offline.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Paused Orders.')).toBeVisible()
  await expect(row.getByRole('switch')).not.toBeChecked()
})

test(
  'by keyboard alone: sees that a pause did not reach the service, and retries it',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    await createExport(service, tenant, { name: 'Orders' })
    await signIn(page, service, tenant.api_key)
    const row = rowWith(page, 'Orders')
    await expect(row).toBeVisible()
    await page.keyboard.press('j')
    await context.setOffline(true)
    await page.keyboard.press('p')
    await expect(page.getByText(/Orders could not be paused/)).toBeVisible()
    await expect(row.getByRole('switch')).toBeChecked()
    await context.setOffline(false)
    await expect(page.getByText('This device is offline.')).toHaveCount(0)
    await expect(row).toBeFocused()
    await tabTo(page, page.getByRole('button', { name: 'Retry' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Paused Orders.')).toBeVisible()
    await expect(row.getByRole('switch')).not.toBeChecked()
  },
)

test('sees why a list could not be fetched, with the request id, and fetches it again', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  const problem = {
    type: 'server_error',
    code: 'error',
    detail: 'A server error occurred.',
    attr: null,
    request_id: 'request-4711',
  }
  await page.route('**/overview/', (route) => route.fulfill({ status: 500, json: problem }))
  await signIn(page, service, tenant.api_key)
  const note = page.getByRole('alert')
  await expect(note).toContainText('A server error occurred.')
  await expect(note).toContainText('request-4711')
  await expectAccessible(page)
  await page.unroute('**/overview/')
  await note.getByRole('button', { name: 'Retry' }).click()
  await expect(rowWith(page, 'Orders')).toBeVisible()
  await expect(note).toHaveCount(0)
})

test(
  'sees in plain words that a page could not be loaded, and loads it with Retry',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await signIn(page, service, tenant.api_key)
    await expect(page.getByText('No batch exports yet')).toBeVisible()
    const files = '**/assets/*.js'
    const offline = (route: Route) => route.abort('internetdisconnected')
    await page.route(files, offline)
    await page.route('**/_health', offline)
    await openSettings(page)
    await page.getByRole('link', { name: 'API keys' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
    await expect(alert).toContainText('A part of the dashboard could not be loaded. Check your connection')
    await expect(page.locator('main')).not.toContainText('http')
    await expectAccessible(page)
    // While the service cannot be reached, Retry keeps the page.
    const unreachable = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/_health'))
    await page.getByRole('button', { name: 'Retry' }).click()
    await unreachable
    await expect(alert).toBeVisible()
    await page.unroute('**/_health')
    await page.unroute(files)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
  },
)
