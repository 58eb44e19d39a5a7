import { expect } from '@playwright/test'
import {
  backfillHours,
  createExport,
  expectAccessible,
  importEvents,
  rowWith,
  signIn,
  test,
} from './journey.ts'
import { startGate, startObjectStore } from './object-store.ts'

test('the logs of a running export are followed until it is done', async ({ page, service, tenant }) => {
  const store = await startObjectStore('lake')
  const gate = await startGate(store)
  const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
  const config = { bucket_name: 'lake', region: 'us-east-1', endpoint_url: gate.endpoint, ...secrets }
  const { id } = await createExport(service, tenant, { name: 'Lake', destination: { type: 'S3', config } })
  await importEvents(service, tenant, { hours: 1, perHour: 200 })
  await signIn(page, service, tenant.api_key, `/exports/${id}/logs`)
  await expect(page.getByText(/^Created by key/)).toBeVisible()
  await expectAccessible(page)

  await backfillHours(service, tenant, id, { from: 1, to: 0 })
  const lines = page.getByRole('list', { name: 'Log lines, newest first' }).getByRole('listitem')
  await expect(lines.getByText('Attempt 1 started.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/^running/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Runs' }).click()
  await expect(rowWith(page, 'Running')).toBeVisible()
  await expect(rowWith(page, 'Running').getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Logs' }).click()
  gate.open()
  await expect(lines.first()).toContainText('Completed: wrote', { timeout: 30_000 })
  await expect(page.getByText('healthy')).toBeVisible()
  await page.getByRole('link', { name: 'Runs' }).click()
  await expect(rowWith(page, 'Completed', '200')).toHaveCount(1)
  await gate.stop()
  await store.stop()
})
