import { expect, type Locator, type Page } from '@playwright/test'
import {
  backfillHours,
  createExport,
  createFailingExport,
  expectAccessible,
  hoursAgo,
  passUndo,
  rowWith,
  signIn,
  tabAndType,
  tabTo,
  test,
  type Tenant,
} from './journey.ts'
import type { RunningService } from './service.ts'

test.use({ timezoneId: 'UTC' })

test.beforeEach(({ page }) => page.clock.install())

test('finds a gap in an hourly export, drags over it to backfill it, and sees it turn green', async ({
  page,
  service,
  tenant,
}) => {
  await openExportWithGap(page, service, tenant)
  await expect(panel(page)).toContainText('4 windows need repair')
  const main = page.getByRole('button', { name: /^Backfill/ }).and(page.locator('.bg-accent'))
  await expect(main).toHaveText(/^Backfill b?$/)
  const [first, last] = [await cellOf(page, hoursAgo(9)), await cellOf(page, hoursAgo(6))]
  await page.mouse.move(first.x, first.y)
  await expect(windows(page).getByText(/Missing$/)).toBeVisible()
  await page.mouse.down()
  await page.mouse.move(last.x, last.y, { steps: 8 })
  await page.mouse.up()
  await expect(panel(page)).toContainText('4 windows selected')
  await expect(panel(page)).toContainText('4 missing')
  await expect(main).toHaveText('Backfill the 4 that need it')
  await expectAccessible(page)
  await panel(page).getByRole('button', { name: 'Backfill the 4 that need it' }).click()
  await expect(page.getByText('Backfilling 4 windows of Hourly orders')).toBeVisible()
  await passUndo(page)
  await expect(page.getByText('The backfill of 4 windows has started.')).toBeVisible()
  await expectFilled(page)
})

test('by keyboard alone: finds a gap, backfills it, and sees it turn green', async ({
  page,
  service,
  tenant,
}) => {
  await openExportWithGap(page, service, tenant)
  await goToNewest(page, /missing$/)
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowLeft')
  await expect(panel(page)).toContainText('4 windows selected')
  await tabTo(page, panel(page).getByRole('button', { name: 'Backfill the 4 that need it' }))
  await page.keyboard.press('Enter')
  await passUndo(page)
  await expect(page.getByText('The backfill of 4 windows has started.')).toBeVisible()
  await expectFilled(page)
})

test(
  'corrects the wrong folder of an export, and retries all its failed runs at once',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await openFailingExport(page, service, tenant)
    await rowWith(page, 'Failed').first().getByRole('button').first().click()
    const drawer = page.getByRole('dialog')
    await expect(drawer).toContainText('is a file')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    // The blue button is what helps: first the destination, then the retry.
    const retry = page.getByRole('button', { name: 'Retry 5 windows' })
    await expect(retry).not.toHaveClass(/bg-accent/)
    await page.getByRole('link', { name: 'Fix destination' }).click()
    await page.getByLabel('Folder').fill(`corrected-${tenant.project_id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(retry).toHaveClass(/bg-accent/)
    await expect(page.getByRole('link', { name: 'Fix destination' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Retry all failed/ })).toHaveCount(0)
    await retry.click()
    await expectRetried(page)
  },
)

test(
  'by keyboard alone: corrects the wrong folder, and retries all failed runs',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await openFailingExport(page, service, tenant)
    await page.keyboard.press('e')
    await tabAndType(page, 'Folder', `corrected-${tenant.project_id}`)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Hand-over' })).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Retry 5 windows' }))
    await page.keyboard.press('Enter')
    await expectRetried(page)
  },
)

test.describe('in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test(
    'backfills the day on which summer time ends, which has 25 hours',
    { tag: '@slow' },
    async ({ page, service, tenant }) => {
      await createExport(service, tenant, { name: 'Hourly orders', end_at: hoursAgo(0) })
      await signIn(page, service, tenant.api_key)
      await page.getByRole('link', { name: 'Hourly orders' }).click()
      await page.getByRole('button', { name: 'Backfill', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('From, Berlin time').fill('2025-10-26T00:00')
      await dialog.getByLabel('To, Berlin time').fill('2025-10-27T00:00')
      await expect(dialog).toContainText('25 runs')
      await dialog.getByLabel('Time zone').selectOption('utc')
      await expect(dialog.getByLabel('From, UTC time')).toHaveValue('2025-10-25T22:00')
      await expect(dialog.getByLabel('To, UTC time')).toHaveValue('2025-10-26T23:00')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Start backfill' }).click()
      await passUndo(page)
      await expect(rowWith(page, 'Completed')).toHaveCount(1, { timeout: 30_000 })
      await expectAccessible(page)

      await page.getByRole('link', { name: 'Runs' }).click()
      await page.getByRole('button', { name: 'Custom' }).click()
      for (const field of ['Last day', 'First day'])
        await page.getByLabel(`${field}, Berlin time`).fill('2025-10-26')
      await expectLongDay(page)
    },
  )

  test(
    'by keyboard alone: backfills the day on which summer time ends, which has 25 hours',
    { tag: '@slow' },
    async ({ page, service, tenant }) => {
      await createExport(service, tenant, { name: 'Hourly orders', end_at: hoursAgo(0) })
      await signIn(page, service, tenant.api_key)
      await expect(rowWith(page, 'Hourly orders')).toBeVisible()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Hourly orders' })).toBeFocused()
      await page.keyboard.press('b')
      const dialog = page.getByRole('dialog')
      for (const [field, day] of [['From', '26'] as const, ['To', '27'] as const]) {
        await tabTo(page, dialog.getByLabel(`${field}, Berlin time`))
        // A browser in American English expects the month first.
        await page.keyboard.type(`10${day}2025`)
        await page.keyboard.press('ArrowRight')
        await page.keyboard.type('1200AM')
      }
      await expect(dialog).toContainText('25 runs')
      await tabTo(page, dialog.getByLabel('Time zone'))
      await page.keyboard.press('u')
      await expect(dialog.getByLabel('From, UTC time')).toHaveValue('2025-10-25T22:00')
      await expect(dialog.getByLabel('To, UTC time')).toHaveValue('2025-10-26T23:00')
      await tabTo(page, dialog.getByRole('button', { name: 'Start backfill' }))
      await page.keyboard.press('Enter')
      await passUndo(page)
      await expect(rowWith(page, 'Completed')).toHaveCount(1, { timeout: 30_000 })

      await tabTo(page, page.getByRole('link', { name: 'Runs', exact: true }), 'Shift+Tab')
      await page.keyboard.press('Enter')
      await tabTo(page, page.getByRole('button', { name: 'Custom' }))
      await page.keyboard.press('Enter')
      for (const [field, key] of [['Last day', 'Tab'] as const, ['First day', 'Shift+Tab'] as const]) {
        const day = page.getByLabel(`${field}, Berlin time`)
        await tabTo(page, day, key)
        await page.keyboard.type('10262025')
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(/2025-10-26T23/)
        await expect(day).toBeFocused()
      }
      await expectLongDay(page)
    },
  )
})

test(
  'backfills windows of two ranges in one request, and retries it after a failure',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await openExportWithGap(page, service, tenant)
    await goToNewest(page, /completed/)
    for (const key of ['Space', 'ArrowLeft', 'ArrowLeft', 'Space']) await page.keyboard.press(key)
    await expect(panel(page)).toContainText('in 2 ranges')
    const bodies: string[] = []
    await page.route('**/bulk_actions/', async (route) => {
      if (route.request().method() === 'GET') return await route.continue()
      bodies.push(route.request().postData() ?? '')
      if (bodies.length > 1) return await route.continue()
      const problem = { detail: 'The queue is full.', attr: null, request_id: 'request-4711' }
      return await route.fulfill({ status: 500, json: { type: 'server_error', code: 'error', ...problem } })
    })
    await panel(page).getByRole('button', { name: 'Backfill all 2 again' }).click()
    await passUndo(page)
    await expect(page.getByText('2 windows could not be backfilled. The queue is full.')).toBeVisible()
    await page.getByRole('status').getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('The backfill of 2 windows has started.')).toBeVisible()
    await expect(page.getByText('Started the backfill of 1 export.')).toBeVisible()
    expect(bodies).toHaveLength(2)
    expect(bodies[1]).toBe(bodies[0])
    await page.getByRole('link', { name: 'Backfills' }).click()
    await expect(page.getByRole('row').filter({ hasText: '2 of 2' })).toBeVisible({ timeout: 30_000 })
  },
)

function windows(page: Page): Locator {
  return page.getByRole('region', { name: /^Windows/ })
}

function legend(page: Page): Locator {
  return page.getByRole('list', { name: 'Windows by state' })
}

function panel(page: Page): Locator {
  return page.getByRole('region', { name: 'Selected windows' })
}

/** Opens an export with 14 windows, of which four in the middle are missing. */
async function openExportWithGap(page: Page, service: RunningService, tenant: Tenant): Promise<void> {
  const { id } = await createExport(service, tenant, { name: 'Hourly orders', end_at: hoursAgo(0) })
  await backfillHours(service, tenant, id, { from: 14, to: 9 })
  await backfillHours(service, tenant, id, { from: 5, to: 0 })
  await signIn(page, service, tenant.api_key)
  await page.getByRole('link', { name: 'Hourly orders' }).click()
  await expect(legend(page)).toContainText('10 completed', { timeout: 30_000 })
  await expect(legend(page)).toContainText('4 missing')
}

/** Goes back by keyboard to the newest window whose description matches. */
async function goToNewest(page: Page, description: RegExp): Promise<void> {
  const cell = windows(page).getByRole('gridcell')
  await tabTo(page, cell)
  while (!description.test((await cell.getAttribute('aria-label')) ?? ''))
    await page.keyboard.press('ArrowLeft')
}

/** Returns the centre of an hour's window in the grid: below the hour's label, beside the day's. */
async function cellOf(page: Page, time: string): Promise<{ x: number; y: number }> {
  const day = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const middle = async (label: string) => {
    const box = await windows(page).getByText(label, { exact: true }).boundingBox()
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  const { x } = await middle(time.slice(11, 13))
  const { y } = await middle(day.format(new Date(time)).replace(',', ''))
  return { x, y }
}

/** Expects the 25 hours of a day with two 2 o’clocks, in the grid and in the runs. */
async function expectLongDay(page: Page): Promise<void> {
  await expect(legend(page)).toHaveText(/^25 completed/)
  for (const hour of ['01:00 – 02:00', '02:00 – 02:00', '02:00 – 03:00', '23:00 – 00:00'])
    await expect(rowWith(page, hour)).toHaveCount(1)
}

async function expectFilled(page: Page): Promise<void> {
  await expect(legend(page)).toContainText('14 completed', { timeout: 30_000 })
  await expect(legend(page)).not.toContainText('missing')
  await expect(panel(page)).toContainText('No windows need repair in this period')
}

/** Opens an export whose folder is a file, and whose five runs failed because of that. */
async function openFailingExport(page: Page, service: RunningService, tenant: Tenant): Promise<void> {
  await createFailingExport(service, tenant, 'Hand-over')
  await signIn(page, service, tenant.api_key)
  await page.getByRole('link', { name: 'Hand-over' }).click()
  await expect(legend(page)).toContainText('5 failed', { timeout: 30_000 })
  await expect(rowWith(page, 'Failed', 'is a file')).toHaveCount(5)
}

async function expectRetried(page: Page): Promise<void> {
  await passUndo(page)
  await expect(page.getByText('Retried the failed windows of 1 export.')).toBeVisible()
  await expect(legend(page)).toContainText('5 completed', { timeout: 30_000 })
  await expect(legend(page)).not.toContainText('failed')
  await expect(rowWith(page, 'Completed')).toHaveCount(5)
}
