import { expect } from '@playwright/test'
import { captureVisits, emailOf } from './captured-visits.ts'
import { signIn, test } from './journey.ts'

/* What people do with recordings while the network is gone, the page reloads, or another tab does something else. */

test(
  'a note and a link survive a lost network',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60, seconds: 120 }])
    await signIn(page, service, tenant.api_key, '/recordings')
    await page.getByRole('link', { name: emailOf('ada') }).click()
    await expect(page.getByRole('region', { name: 'Recording' })).toBeVisible()
    // Their code is loaded before the network is lost.
    await page.keyboard.press('s')
    const links = page.getByRole('dialog').getByRole('region', { name: 'More links' })
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(links.getByRole('button', { name: 'New link' })).toBeVisible()
    await context.setOffline(true)
    await links.getByRole('button', { name: 'New link' }).click()
    await expect(page.getByText('The service cannot be reached.').first()).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('This device is offline.')).toHaveCount(0)
    await links.getByRole('button', { name: 'New link' }).click()
    await expect(links.getByRole('button', { name: 'Revoke' })).toHaveCount(1)
    await page.keyboard.press('Escape')

    await page.keyboard.press('c')
    await page.keyboard.type('The voucher is refused')
    await context.setOffline(true)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByText('The service cannot be reached.').first()).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('This device is offline.')).toHaveCount(0)
    const field = page.getByRole('textbox', { name: /^Note at/ })
    await expect(field).toHaveValue('The voucher is refused')
    await field.press('ControlOrMeta+Enter')
    await expect(page.getByRole('button', { name: /^Note of .+: The voucher is refused$/ })).toBeVisible()
  },
)

test(
  'a summary goes on through a reload and is the same in a second tab',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    const visitors = Array.from({ length: 30 }, (_, index) => `visitor${index}`)
    await captureVisits(
      service,
      tenant,
      visitors.map((visitor) => ({ visitor, minutesAgo: 60, errors: ['Voucher refused'] })),
    )
    await signIn(page, service, tenant.api_key, '/recordings')
    await expect(page.getByRole('row')).toHaveCount(31)
    await page.keyboard.press('Shift+M')
    await expect(page).toHaveURL(/\/recordings\/summaries\//)
    await page.reload()
    const other = await context.newPage()
    await other.goto(page.url())
    for (const each of [page, other]) {
      await expect(each.getByRole('heading', { name: 'Summary of 30 recordings' })).toBeVisible()
      await expect(each.getByText('Error “Voucher refused” in 30 recordings.')).toBeVisible({
        timeout: 60_000,
      })
    }
    await page.goBack()
    await expect(page.getByRole('row')).toHaveCount(31)
  },
)

test(
  'a deleted recording comes back with Undo, and one that is gone is named so',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    const [id = ''] = await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60 }])
    await signIn(page, service, tenant.api_key, '/recordings')
    const row = page.getByRole('row', { name: emailOf('ada') })
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(row).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row).toHaveCount(1)
    const other = await context.newPage()
    await signIn(other, service, tenant.api_key, `/recordings/${id}`)
    await expect(other.getByRole('region', { name: 'Recording' })).toBeVisible()
    const headers = { authorization: `Bearer ${tenant.api_key}` }
    const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${id}/`
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204)
    await other.reload()
    await expect(other.getByText(/not found|was deleted|no longer/i).first()).toBeVisible()
    await page.reload()
    await expect(page.getByText('No recordings yet')).toBeVisible()
  },
)
