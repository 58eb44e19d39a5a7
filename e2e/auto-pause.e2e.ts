import { expect } from '@playwright/test'
import { connectStore } from './connect-store.ts'
import { createExport, createFailingExport, expectAccessible, rowWith, signIn, test } from './journey.ts'

test('an export paused automatically stands out, shows the reason, and is unpaused by one button', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Healthy', paused: true })
  const { id } = await createFailingExport(service, tenant, 'Hand-over')
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'Hand-over')).toContainText('failing')
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await rowWith(page, 'Hand-over').getByRole('switch').click()
  await expect(rowWith(page, 'Hand-over')).toContainText('while failing')
  // A reload before would take the request back.
  expect((await answer).status()).toBeLessThan(300)

  // Sets the reason that the service would set after ten failed runs.
  const client = await connectStore(service)
  await client.query(
    "UPDATE batch_exports SET paused_because = '10 of its last 12 scheduled runs failed.' WHERE id = $1",
    [id],
  )
  await client.end()
  await page.reload()
  await expect(rowWith(page, 'Hand-over', 'auto-paused')).toContainText('10 of its last 12 scheduled runs')
  await expect(page.getByRole('link', { name: 'Batch exports 1 failing or auto-paused' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Hand-over' }).click()
  const note = page.getByRole('region', { name: 'Automatic pause' })
  await expect(note).toContainText('10 of its last 12 scheduled runs failed.')
  await expect(note).toContainText('is a file')
  await expectAccessible(page)
  await note.getByRole('button', { name: 'Unpause' }).click()
  await expect(page.getByText('Unpaused Hand-over.')).toBeVisible()
  await expect(note).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
})
