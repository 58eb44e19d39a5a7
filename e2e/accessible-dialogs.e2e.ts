import { expect, type Page } from '@playwright/test'
import { captureVisits } from './captured-visits.ts'
import { backfillHours, createExport, expectAccessible, hoursAgo, send, signIn, test } from './journey.ts'

test(
  'the pages and dialogs of alerts are accessible',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    test.slow()
    await createExport(service, tenant, { name: 'Orders' })
    const channel = { type: 'webhook', name: 'On call', url: 'http://127.0.0.1:9/hook' }
    await send(service, tenant, 'alert_channels/', channel)
    await signIn(page, service, tenant.api_key, '/settings/alerts?view=rules')
    await expect(page.getByRole('switch').first()).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Override for an export' }).click()
    await expectDialog(page)
    for (const kind of await page.getByRole('button', { name: /^Change / }).all()) {
      await kind.click()
      await expectDialog(page)
    }
    await page.getByRole('link', { name: 'Channels' }).click()
    for (const type of ['Webhook', 'Slack', 'Teams']) {
      await page.getByRole('button', { name: `Add ${type}` }).click()
      await expectDialog(page)
    }
  },
)

test(
  'the dialogs of an export, and its repair plan, are accessible',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    test.slow()
    const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
    await backfillHours(service, tenant, id, { from: 5, to: 4 })
    await backfillHours(service, tenant, id, { from: 2, to: 1 })
    await signIn(page, service, tenant.api_key, `/exports/${id}`)
    for (const name of ['Edit tags, owner and note', 'Pause until', 'Show as curl']) {
      await page.getByRole('button', { name: 'Actions for Orders' }).click()
      await page.getByRole('menuitem', { name }).click()
      await expectDialog(page)
    }
    await page.keyboard.press('b')
    await expectDialog(page)
    await page.getByRole('button', { name: 'Actions for Orders' }).click()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Plan a repair' }).click()
    await expect(page.getByText('No repair plans yet')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Plan a repair of Orders' }).click()
    await expect(page.getByText('2 steps for 3 windows')).toBeVisible()
    await expectAccessible(page)
  },
)

test('the dialogs of recordings are accessible', { tag: '@slow' }, async ({ page, service, tenant }) => {
  test.slow()
  const [id = ''] = await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60 }])
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('checkbox', { name: /^Select the recording/ }).click()
  await page.getByRole('button', { name: 'Add to collection' }).click()
  await expectDialog(page)
  await page.goto(`${service.origin}/recordings/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await expectAccessible(page)
})

async function expectDialog(page: Page): Promise<void> {
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}
