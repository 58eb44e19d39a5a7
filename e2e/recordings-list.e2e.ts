import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { stripLength } from '../src/contract/recordings/recording-facts.ts'
import { addFilter } from './add-filter.ts'
import { captureVisits, emailOf, recordingsOf, type CapturedVisit } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

const shoppers: readonly CapturedVisit[] = [
  { visitor: 'ada', minutesAgo: 60, seconds: 120, clicks: 2, errors: ['Voucher 17 refused'], path: '/cart' },
  { visitor: 'ben', minutesAgo: 50, seconds: 20, clicks: 12 },
  { visitor: 'cleo', minutesAgo: 40, seconds: 40, clicks: 4, errors: ['Voucher 18 refused', 'No stock'] },
  { visitor: 'dora', minutesAgo: 30, seconds: 10, clicks: 1, path: '/help' },
]

test('finds a recording by searching, filtering and sorting', async ({ page, service, tenant }) => {
  await openShop(page, service, tenant)
  await expectVisitors(page, ['dora', 'cleo', 'ben', 'ada'])
  await expect(page.getByText('4 recordings')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('searchbox').fill('/help')
  await expectVisitors(page, ['dora'])
  await expect(page).toHaveURL(/search=/)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expectVisitors(page, ['dora', 'cleo', 'ben', 'ada'])

  await addFilter(page, 'Console text', 'voucher')
  await expectVisitors(page, ['cleo', 'ada'])
  await addFilter(page, 'Duration', '60')
  await expectVisitors(page, ['ada'])
  await page.reload()
  await expectVisitors(page, ['ada'])
  await page.getByRole('button', { name: 'Remove the filter “At least 1 min 0 s long”' }).click()
  await expectVisitors(page, ['cleo', 'ada'])
  await page.getByRole('button', { name: 'Clear all' }).click()

  await page.setViewportSize({ width: 1600, height: 800 })
  await page.getByRole('columnheader', { name: 'Clicks' }).getByRole('button').click()
  await expectVisitors(page, ['ben', 'cleo', 'ada', 'dora'])
  await page.getByRole('columnheader', { name: 'Clicks' }).getByRole('button').click()
  await expectVisitors(page, ['dora', 'ada', 'cleo', 'ben'])

  await page.goto(`${service.origin}/recordings?date_from=garbage&order=click_count`)
  await expectVisitors(page, ['ben', 'cleo', 'ada', 'dora'])
  await expect(page.getByText('date_from=garbage')).toBeVisible()
  await expect(page).toHaveURL(/\/recordings\?order=click_count$/)
  await expectAccessible(page)

  await page.getByRole('searchbox').fill('nobody')
  await expect(page.getByText('No recordings match the filters')).toBeVisible()
  await expectAccessible(page)
})

test(
  'by keyboard alone: undoes and repeats a deletion; another continues after a reload',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const others = Array.from({ length: 21 }, (_, index) => ({
      visitor: `guest-${index}`,
      minutesAgo: 90 + index,
    }))
    await captureVisits(service, tenant, others)
    await openShop(page, service, tenant)
    await page.keyboard.press('j')
    await expect(rowWith(page, 'dora')).toBeFocused()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+ArrowDown')
    const selection = page.getByRole('region', { name: 'Selected recordings' })
    await expect(selection).toContainText('2 selected')
    await expectAccessible(page)
    await page.keyboard.press('d')
    await expect(rowWith(page, 'cleo')).not.toBeAttached()
    await page.keyboard.press('Control+z')
    await expect(rowWith(page, 'cleo')).toBeVisible()

    await rowWith(page, 'dora').focus()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Delete')
    await expect(rowWith(page, 'cleo')).not.toBeAttached()
    await expect(page.getByText('23 recordings')).toBeVisible()
    expect(await recordingsOf(service, tenant)).toBe(23)

    await page.getByLabel('Select all shown').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('region', { name: 'Bulk actions' })).toContainText('23 recordings')
    await page.reload()
    await expect.poll(() => recordingsOf(service, tenant)).toBe(0)
  },
)

test('shares a recording by link, stops sharing it, keeps it, and marks it as watched', async ({
  page,
  context,
  service,
  tenant,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openShop(page, service, tenant)
  await rowWith(page, 'ada').hover()
  await rowWith(page, 'ada').getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share the recording of ada@shop.example' })
  await dialog.getByRole('switch', { name: 'Share by link' }).click()
  await expect(dialog.getByText('0 views')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(await statusOf(service, link)).toBe(200)
  await dialog.getByRole('switch', { name: 'Share by link' }).click()
  await expect.poll(() => statusOf(service, link)).toBe(403)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => statusOf(service, link)).toBe(200)
  await dialog.getByRole('button', { name: 'Replace link' }).click()
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect.poll(() => statusOf(service, link)).toBe(403)
  await dialog.getByRole('switch', { name: 'Share by link' }).click()
  await expect(dialog.getByText('The switch turns off only this link')).toBeVisible()
  await page.keyboard.press('Escape')

  await chooseOf(page, 'ada', 'Keep')
  const markOf = (name: string) => rowWith(page, 'ada').getByRole('img', { name })
  await expect(markOf('kept')).toBeVisible()
  await expect(markOf('Not watched yet')).toBeVisible()
  await chooseOf(page, 'ada', 'Mark as watched')
  await expect(page.getByText('Marked the recording of ada@shop.example as watched.')).toBeVisible()
  await expect(markOf('Not watched yet')).toBeHidden()
  await page.reload()
  await expect(markOf('kept')).toBeVisible()
  await expect(markOf('Not watched yet')).toBeHidden()
})

test(
  'by keyboard alone: shares three recordings together, and summarizes them in one text',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await openShop(page, service, tenant)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Share all' }).press('Enter')
    await expect(page.getByText('3 links ready.')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('m')
    await expect(page.getByRole('heading', { name: 'Summary of 3 recordings' })).toBeVisible()
    const text = page.getByRole('region', { name: 'Where the others left' })
    await expect(text).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await text
      .getByRole('link', { name: /^Example: / })
      .first()
      .press('Enter')
    await expect(page).toHaveURL(/\/recordings\/[^/]+\?t=\d+/)
    await page.goBack()
    await page.goBack()
    await expectVisitors(page, ['dora', 'cleo', 'ben', 'ada'])
    await page.getByRole('button', { name: 'Summarize all' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Summary of 4 recordings' })).toBeVisible()
    await page.goBack()

    await expectVisitors(page, ['dora', 'cleo', 'ben', 'ada'])
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/recordings\/[^/]+\?.*row=0/)
    await page.goBack()
    await expectVisitors(page, ['dora', 'cleo', 'ben', 'ada'])
  },
)

test('follows an error to its sessions, to all recordings with it, and to its moment in one', async ({
  page,
  service,
  tenant,
}) => {
  await captureVisits(service, tenant, shoppers)
  await signIn(page, service, tenant.api_key)
  await page.getByRole('link', { name: 'Errors' }).click()
  const vouchers = rowWith(page, 'Voucher … refused')
  await expect(vouchers).toBeVisible()
  await expectAccessible(page)
  await vouchers.getByRole('button', { name: 'Show Voucher' }).click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /ada/ })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('row', { name: /cleo/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All recordings with this error' }).click()
  // The drawer names the same visitors until the list opens.
  await expect(page.getByRole('heading', { name: 'Recordings', level: 1 })).toBeVisible()
  await expectVisitors(page, ['cleo', 'ada'])
  // The actions that appear under the pointer leave the other problems clickable.
  await rowWith(page, 'cleo').hover()
  await page.getByRole('button', { name: `1 more problem of ${emailOf('cleo')}` }).click({ timeout: 10_000 })
  await expect(page.getByRole('menuitem', { name: 'No stock' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.getByRole('link', { name: 'Watch cleo' }).click()
  // Cleo’s first voucher was refused after 18 of 40 seconds; playback starts three seconds earlier.
  await expect(page).toHaveURL(/\/recordings\/[^/]+\?.*t=15/)
})

test('shows facts that the service reads after the list is loaded, without moving rows', async ({
  page,
  service,
  tenant,
}) => {
  const factsOf = (visitor: string) => ({
    // Columns whose values are all the same are hidden.
    pages: [{ label: `Page of ${visitor}`, url: 'shop.example/', at: 0 }],
    page_count: 1,
    outcome: { kind: 'completed', label: 'Ordered a lamp', at: 0 },
    problems: [],
    strip: Array.from({ length: stripLength }, () => 1),
    moment: 0,
    browser: null,
    os: null,
    device: null,
    country: null,
    summary: null,
  })
  const asked: unknown[] = []
  await page.route('**/session_recordings/?**', async (route) => {
    const response = await route.fetch()
    const list = await response.json()
    const ids = new URL(route.request().url()).searchParams.get('session_ids')
    if (ids) asked.push(JSON.parse(ids))
    const results = list.results.map((row: { distinct_id: string }) => ({
      ...row,
      facts: row.distinct_id !== emailOf('cleo') || ids ? factsOf(row.distinct_id) : null,
    }))
    await route.fulfill({ json: { ...list, results } })
  })
  await page.clock.install()
  await openShop(page, service, tenant)
  await expect(rowWith(page, 'dora')).toContainText('Ordered a lamp')
  await expect(rowWith(page, 'cleo')).not.toContainText('Ordered a lamp')
  await page.clock.runFor(3_000)
  await expect(rowWith(page, 'cleo')).toContainText('Ordered a lamp')
  await expectVisitors(page, ['dora', 'cleo', 'ben', 'ada'])
  // Nothing is missing any more.
  await page.clock.runFor(120_000)
  expect(asked).toEqual([[await rowWith(page, 'cleo').getAttribute('data-id')]])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

async function openShop(page: Page, service: RunningService, tenant: Tenant): Promise<void> {
  await captureVisits(service, tenant, shoppers)
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(rowWith(page, 'dora')).toBeVisible()
}

/** Expects the list to show the recordings of these visitors, in this order. */
async function expectVisitors(page: Page, visitors: readonly string[]): Promise<void> {
  const table = page.getByRole('table', { name: 'Recordings' })
  const names = table.locator('tbody td:nth-child(2)').getByRole('link')
  await expect(names).toHaveText(visitors.map(emailOf))
}

async function chooseOf(page: Page, visitor: string, label: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for the recording of ${emailOf(visitor)}` }).click()
  await page.getByRole('menuitem', { name: label }).click()
}

/** Follows a link and returns the status of the response. */
async function statusOf(service: RunningService, link: string): Promise<number> {
  const token = new URL(link).pathname.split('/').at(-1)
  return (await fetch(`${service.origin}/api/shared/${token}/`)).status
}
