import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { LedgerReceipt } from '../src/contract/runs/ledger.ts'
import {
  backfillHours,
  createExport,
  expectAccessible,
  hoursAgo,
  importEvents,
  rowWith,
  signIn,
  test,
} from './journey.ts'

test('windows are verified from the ledger, and a receipt is downloaded', async ({
  page,
  service,
  tenant,
}) => {
  const { id } = await createExport(service, tenant, { name: 'Proven', end_at: hoursAgo(0) })
  await backfillHours(service, tenant, id, { from: 2, to: 0 })
  await signIn(page, service, tenant.api_key, `/exports/${id}/ledger`)
  await expect(page.getByText(/^0 of 2 windows proven, 2 not verified yet/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: 'Verify selected' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Verify selected (1)' }).click()
  await expect(page.getByText(/^1 of 2 windows proven, 1 not verified yet/)).toBeVisible()
  await expect(rowWith(page, 'Proven')).toBeVisible()
  await page.getByRole('button', { name: /^Verify all/ }).click()
  await expect(page.getByText('2 of 2 windows proven.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('download receipt')
  const downloading = page.waitForEvent('download')
  await page.getByRole('option', { name: 'Download receipt' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('Proven-receipt.json')
  const { receipt } = LedgerReceipt.parse(JSON.parse(await readFile(await download.path(), 'utf8')))
  expect(receipt.totals.states).toEqual({ proven: 2 })
})

test(
  'the grid and the list mark a window whose file is gone, and lead to it in the ledger',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await importEvents(service, tenant, { hours: 1, perHour: 2 })
    const { id } = await createExport(service, tenant, {
      name: 'Lake',
      end_at: hoursAgo(0),
      destination: { type: 'File', config: { path: 'lake' } },
    })
    await backfillHours(service, tenant, id, { from: 1, to: 0 })
    await signIn(page, service, tenant.api_key, `/exports/${id}/ledger`)
    await expect(page.getByText('0 of 1 window proven, 1 not verified yet.')).toBeVisible({ timeout: 30_000 })
    await rm(join(service.dataDirectory, 'exports', String(tenant.project_id), 'lake'), { recursive: true })
    await page.getByRole('button', { name: /^Verify all/ }).click()
    await expect(page.getByText(/1 gone from the destination/)).toBeVisible()
    await page.getByRole('link', { name: 'Batch exports' }).first().click()
    await expectAccessible(page)
    await page.getByRole('link', { name: '1 gone from the destination: windows of Lake' }).click()
    await expect(rowWith(page, 'gone from the destination')).toHaveCount(1)
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    const toInspect = page.getByRole('list', { name: 'Windows to inspect' })
    await expectAccessible(page)
    await toInspect.getByRole('link', { name: '1 gone from the destination' }).click()
    await expect(rowWith(page, 'gone from the destination')).toHaveCount(1)
  },
)

test('an export whose runs are long ago is not said to have delivered nothing', async ({
  page,
  service,
  tenant,
}) => {
  const days = 40 * 24
  const { id } = await createExport(service, tenant, { name: 'Old', end_at: hoursAgo(days - 2) })
  await backfillHours(service, tenant, id, { from: days, to: days - 1 })
  await signIn(page, service, tenant.api_key, `/exports/${id}`)
  await expect(rowWith(page, 'Completed')).toHaveCount(1)
  await expect(page.getByText('no window exported in 30 days')).toBeVisible()
  await page.getByRole('link', { name: 'Ledger' }).click()
  await expect(page.getByText('No windows in this period')).toBeVisible()
})
