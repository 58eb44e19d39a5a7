import { expect, type Locator, type Page } from '@playwright/test'
import {
  backfillHours,
  createExport,
  expectAccessible,
  hoursAgo,
  importEvents,
  passRest,
  rowWith,
  signIn,
  tabTo,
  test,
  type Tenant,
} from './journey.ts'
import { startGate, startObjectStore } from './object-store.ts'
import type { RunningService } from './service.ts'

test.beforeEach(({ page }) => page.clock.install())

test(
  'follows the logs of a running export until it completes',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const { id, open, stop } = await createSlowExport(service, tenant)
    await signIn(page, service, tenant.api_key, `/exports/${id}/logs`)
    await expect(page.getByText(/^Created by key/)).toBeVisible()
    await expectAccessible(page)

    await backfillHours(service, tenant, id, { from: 1, to: 0 })
    await passRest(page)
    await expect(lines(page).getByText('Attempt 1 started.')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/^running/)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Runs' }).click()
    await expect(rowWith(page, 'Running')).toBeVisible()
    await expect(rowWith(page, 'Running').getByRole('button', { name: 'Cancel' })).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Logs' }).click()
    open()
    await expect(lines(page).first()).toContainText('Completed: wrote', { timeout: 30_000 })
    await expect(page.getByText(/^running/)).toHaveCount(0)
    await page.getByRole('link', { name: 'Runs' }).click()
    await expect(rowWith(page, 'Completed', '200')).toHaveCount(1)
    await stop()
  },
)

test(
  'by keyboard alone: follows the logs of a running export, and opens its run',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const { id, open, stop } = await createSlowExport(service, tenant)
    await signIn(page, service, tenant.api_key)
    await expect(rowWith(page, 'Lake')).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Lake' })).toBeFocused()
    await tabTo(page, page.getByRole('link', { name: 'Logs' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Created by key/)).toBeVisible()
    await backfillHours(service, tenant, id, { from: 1, to: 0 })
    await passRest(page)
    await expect(lines(page).getByText('Attempt 1 started.')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/^running/)).toBeVisible()
    await tabTo(page, page.getByRole('link', { name: 'Runs' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await tabTo(page, rowWith(page, 'Running').getByRole('button', { name: 'Cancel' }))
    await tabTo(page, page.getByRole('link', { name: 'Logs' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    open()
    const newest = lines(page).first()
    await expect(newest).toContainText('Completed: wrote', { timeout: 30_000 })
    await expect(page.getByText(/^running/)).toHaveCount(0)
    await tabTo(page, newest.getByRole('link'))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: /^Run of/ })).toBeFocused()
    await expect(page.getByRole('main')).toContainText('200')
    await stop()
  },
)

test('sees the progress, speed and remaining time of a run, and cancels it', async ({
  page,
  service,
  tenant,
}) => {
  const { id, stop } = await createSlowExport(service, tenant)
  const progress = { records_completed: 40_000, records_total_count: 100_000, last_updated_at: hoursAgo(0) }
  await page.route(/\/runs\/(\?|$)/, async (route) => {
    const response = await route.fetch()
    const list: { results: object[] } = await response.json()
    await route.fulfill({
      response,
      json: { ...list, results: list.results.map((run) => ({ ...run, ...progress })) },
    })
  })
  await backfillHours(service, tenant, id, { from: 1, to: 0 })
  await signIn(page, service, tenant.api_key, `/exports/${id}`)
  const running = rowWith(page, 'Running')
  await expect(running).toContainText('40,000')
  const bar = running.getByRole('progressbar', { name: 'Rows written' })
  await expect(bar.filter({ visible: true })).toHaveAttribute('value', '0.4')
  Object.assign(progress, {
    records_completed: 70_000,
    last_updated_at: new Date(Date.parse(progress.last_updated_at) + 10_000).toISOString(),
  })
  await expect(running).toContainText('of 100,000, 3,000 rows/s')
  await expect(running).toContainText('about 10 s left')
  await expect(running).toContainText('70,000')
  await running.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('The run was cancelled.')).toBeVisible()
  await expect(rowWith(page, 'Cancelled')).toHaveCount(1)
  // A response still being changed when the test ends would fail the next test.
  await page.unrouteAll({ behavior: 'wait' })
  await stop()
})

test('cancels a backfill and its remaining runs', async ({ page, service, tenant }) => {
  const { id, stop } = await createSlowExport(service, tenant)
  await backfillHours(service, tenant, id, { from: 3, to: 0 })
  await signIn(page, service, tenant.api_key, `/exports/${id}/backfills`)
  await expect(rowWith(page, 'Running')).toContainText('0 of 3')
  await rowWith(page, 'Running').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('The backfill and its remaining runs were cancelled.')).toBeVisible()
  await expect(rowWith(page, 'Cancelled')).toHaveCount(1)
  await expect(rowWith(page, 'Cancelled').getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await rowWith(page, 'Cancelled').getByRole('link').click()
  await expect(rowWith(page, 'Cancelled').getByRole('button', { name: 'Retry' })).toHaveCount(3)
  await stop()
})

function lines(page: Page): Locator {
  return page.getByRole('list', { name: 'Log lines, newest first' }).getByRole('listitem')
}

type SlowExport = { id: string; open: () => void; stop: () => Promise<void> }

/** Creates an export whose runs wait until `open` lets its files get their names. */
async function createSlowExport(service: RunningService, tenant: Tenant): Promise<SlowExport> {
  const store = await startObjectStore('lake')
  const gate = await startGate(store)
  const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
  const config = { bucket_name: 'lake', region: 'us-east-1', endpoint_url: gate.endpoint, ...secrets }
  const { id } = await createExport(service, tenant, {
    name: 'Lake',
    end_at: hoursAgo(0),
    destination: { type: 'S3', config },
  })
  await importEvents(service, tenant, { hours: 3, perHour: 200 })
  const stop = async () => {
    await gate.stop()
    await store.stop()
  }
  return { id, open: gate.open, stop }
}
