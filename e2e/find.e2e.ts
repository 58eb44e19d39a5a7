import { expect } from '@playwright/test'
import { addFilter } from './add-filter.ts'
import { captureVisits } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

const day = 24 * 60

test(
  'finds yesterday’s error of a person in three actions, by mouse and by keyboard',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await captureVisits(service, tenant, [
      { visitor: 'ada', minutesAgo: 5, seconds: 40 },
      { visitor: 'ada', minutesAgo: day, seconds: 40, clicks: 2, errors: ['Voucher 17 refused'] },
      { visitor: 'ben', minutesAgo: day, seconds: 40, errors: ['No stock'] },
    ])
    await expect.poll(() => visitsWithFacts(service, tenant), { timeout: 60_000 }).toBe(3)
    await signIn(page, service, tenant.api_key, '/recordings')
    await expect(page.getByText('3 recordings')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Errors/ })).toHaveText('Errors2')
    // An action fills a field, presses a button or opens a row.
    await page.getByRole('searchbox').fill('ada')
    await page.getByRole('button', { name: /^Errors/ }).click()
    await page
      .getByRole('link', { name: /Voucher 17 refused at/ })
      .first()
      .click()
    await expect(page).toHaveURL(/\/recordings\/[^/]+\?.*t=\d+/)

    await page.goto(`${service.origin}/recordings`)
    await expect(rowWith(page, 'ben')).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('ada')
    await expect(rowWith(page, 'ben')).toBeHidden()
    await page.getByRole('button', { name: /^Errors/ }).press('Enter')
    await expect(page.getByRole('link', { name: /Voucher 17 refused at/ })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/recordings\/[^/]+\?.*t=\d+/)
  },
)

test('saves and updates a view', async ({ page, service, tenant }) => {
  await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60, seconds: 120, errors: ['Voucher 17 refused'], path: '/cart' },
    { visitor: 'ben', minutesAgo: 50 },
  ])
  await signIn(page, service, tenant.api_key, '/recordings')
  await page.getByRole('button', { name: /^Errors/ }).click()
  await expect(rowWith(page, 'ben')).toBeHidden()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('With errors')
  await page.getByLabel('For everyone in this project').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const view = page.getByRole('list', { name: 'Saved views' }).getByRole('link')
  await expect(view).toHaveText('With errors')
  await expect(view).toHaveAttribute('aria-current', 'page')

  await page.getByRole('button', { name: /^Unwatched/ }).click()
  await page.getByRole('button', { name: 'Update “With errors”' }).click()
  await expect(page.getByText('Updated the view With errors.')).toBeVisible()
  await page.getByRole('link', { name: 'Recordings', exact: true }).click()
  await expect(rowWith(page, 'ben')).toBeVisible()
})

test('shows a collection as a filter that survives a reload and can be removed', async ({
  page,
  service,
  tenant,
}) => {
  const [ada] = await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60 },
    { visitor: 'ben', minutesAgo: 50 },
  ])
  const api = `${service.origin}/api/projects/${tenant.project_id}/recording_collections/`
  const headers = { authorization: `Bearer ${tenant.api_key}` }
  const created = await page.request.post(api, { headers, data: { name: 'Checkout' } })
  const { id } = (await created.json()) as { id: string }
  await page.request.post(`${api}${id}/recordings/`, { headers, data: { ids: [ada] } })
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(rowWith(page, 'ben')).toBeVisible()
  await addFilter(page, 'Collection', 'Unknown')
  await expect(page.getByText('No collection found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await addFilter(page, 'Collection', 'Check')
  await expect(rowWith(page, 'ben')).toBeHidden()
  await page.reload()
  const chip = page.getByRole('button', { name: 'Remove the filter “In collection: Checkout”' })
  await expect(chip).toBeVisible()
  await expect(rowWith(page, 'ada')).toBeVisible()
  await expect(rowWith(page, 'ben')).toBeHidden()
  await chip.click()
  await expect(rowWith(page, 'ben')).toBeVisible()
})

test('text pasted from a ticket finds the visits that it names, and says which filter hides all', async ({
  page,
  service,
  tenant,
}) => {
  await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60, path: '/cart' },
    { visitor: 'ben', minutesAgo: 50, path: '/help' },
    { visitor: 'cleo', minutesAgo: 40 },
  ])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(rowWith(page, 'cleo')).toBeVisible()
  const ticket = 'Hi,\nada@shop.example cannot pay.\nSee https://shop.example/help.'
  await page.evaluate((text) => navigator.clipboard.writeText(text), ticket)
  await page.getByRole('searchbox').press('Control+v')
  await expect(page.getByText('Found 1 e-mail address and 1 URL in the text')).toBeVisible()
  await expect(rowWith(page, 'ada')).toBeVisible()
  await expect(rowWith(page, 'ben')).toBeVisible()
  await expect(rowWith(page, 'cleo')).toBeHidden()

  await page.getByRole('button', { name: /^Long/ }).click()
  await expect(page.getByText('No recordings match the filters')).toBeVisible()
  await page.getByRole('button', { name: 'Without “Long”: 2 recordings' }).click()
  await expect(rowWith(page, 'ada')).toBeVisible()
})

/** Returns the number of recordings whose facts are known. */
async function visitsWithFacts(service: RunningService, tenant: Tenant): Promise<number> {
  const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/session_recordings/`, {
    headers: { authorization: `Bearer ${tenant.api_key}` },
  })
  const { results }: { results: { visit: unknown }[] } = await response.json()
  return results.filter(({ visit }) => visit !== null).length
}
