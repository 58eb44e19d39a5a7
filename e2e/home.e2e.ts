import { expect } from '@playwright/test'
import { backfillHours, createExport, expectAccessible, hoursAgo, signIn, test } from './journey.ts'

test('a new project ticks its first steps off; later, one key plans the repair of what is missing', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/')
  await expect(page.getByText('No exports yet.')).toBeVisible()
  await expect(page.getByText('Waiting for the first event')).toBeVisible()
  await expectAccessible(page)
  await fetch(`${service.origin}/e/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: tenant.project_token, event: 'order', distinct_id: 'ada' }),
  })
  await expect(page.getByText('Events arrive')).toBeVisible()
  const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  await backfillHours(service, tenant, id, { from: 5, to: 4 })
  await expect(page.getByText('0 of 1 export complete; 4 windows to repair.')).toBeVisible()
  await expect(page.getByRole('img', { name: /^Orders, periods by their worst window/ })).toBeVisible()
  await expect(page.getByText('Last event')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('r')
  await expect(page.getByText(/^1 step for 4 windows of 1 export: 4 missing/)).toBeVisible()
  await expectAccessible(page)
})
