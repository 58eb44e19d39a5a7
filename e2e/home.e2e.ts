import { expect } from '@playwright/test'
import { element, pageShown, sendSession } from './recorded-session.ts'
import {
  backfillHours,
  createExport,
  expectAccessible,
  hoursAgo,
  navigationLink,
  signIn,
  test,
  type Tenant,
} from './journey.ts'
import type { RunningService } from './service.ts'

async function sendEvent({ origin }: RunningService, { project_token: api_key }: Tenant): Promise<void> {
  await fetch(`${origin}/e/`, {
    method: 'POST',
    body: JSON.stringify({ api_key, event: 'order', distinct_id: 'ada' }),
  })
}

test('a new project ticks its first steps off; later, one key plans the repair of what is missing', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/')
  await expect(page.getByText('No exports yet.')).toBeVisible()
  await expect(page.getByText('Waiting for the first event')).toBeVisible()
  await expectAccessible(page)
  await sendEvent(service, tenant)
  await expect(page.getByText('Events arrive')).toBeVisible()
  const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  await backfillHours(service, tenant, id, { from: 5, to: 4 })
  await expect(page.getByText('0 of 1 export complete; 4 windows to repair.')).toBeVisible()
  const orders = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Orders' }) })
  await expect(orders.getByRole('img', { name: /^Last 48 windows: .*4 missing/ })).toBeVisible()
  await expect(page.getByText('Last event')).toBeVisible()
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('listitem')).toHaveText([/done/, /done/, /Watch the first recording.*to do/])
  await expectAccessible(page)
  await steps.getByRole('button', { name: 'Hide these steps' }).click()
  await expect(steps).toBeHidden()
  await page.reload()
  await expect(page.getByText('0 of 1 export complete; 4 windows to repair.')).toBeVisible()
  await expect(steps).toBeHidden()
  await page.keyboard.press('r')
  await expect(page.getByText(/^1 step for 4 windows of 1 export: 4 missing/)).toBeVisible()
  await expectAccessible(page)
})

test('the first recording ticks the last step, which stays until the page is left', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  await sendEvent(service, tenant)
  await signIn(page, service, tenant.api_key, '/')
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
  await expect(steps).toHaveText([/done/, /done/, /to do/])
  await sendSession(service, tenant, pageShown(Date.now(), { body: [element('h1', {}, 'Shop')] }))
  await expect(steps.last()).toContainText('done')
  await navigationLink(page, 'Batch exports').click()
  await navigationLink(page, 'Home').click()
  await expect(page.getByText('Last recording')).toBeVisible()
  await expect(steps.last()).toBeHidden()
  await expect(page.getByText('No open errors.')).toBeVisible()
  const watching = page.getByRole('region', { name: 'Worth watching' })
  await expect(watching.getByRole('img')).toBeVisible()
  await expectAccessible(page)
  await watching.getByRole('link', { name: '1 unwatched' }).click()
  await expect(page.getByRole('heading', { name: 'Recordings' })).toBeVisible()
})
