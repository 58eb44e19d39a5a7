import { expect } from '@playwright/test'
import { startReceiver } from '../src/service/testing/servers/test-receiver.ts'
import { expectAccessible, signIn, test } from './journey.ts'

test('creates an export to a webhook, shows its signing secret once, and keeps a header', async ({
  page,
  service,
  tenant,
}) => {
  const receiver = await startReceiver()
  await signIn(page, service, tenant.api_key, '/exports/new')
  await page.getByLabel('Name').fill('Rows')
  await page.getByLabel('Search destinations').fill('http')
  await page.getByRole('radio', { name: 'Webhook' }).check()
  await page.getByLabel('URL').fill(`${receiver.origin}/rows`)
  await page.getByLabel('Headers').fill('Host: other')
  await page.getByLabel('Headers').blur()
  await expect(page.getByLabel('Headers')).toHaveAccessibleDescription(/is set by the service/)
  await page.getByLabel('Headers').fill('Authorization: Bearer planted-token')
  await page.getByRole('button', { name: 'Test connection' }).click()
  const connection = page.getByRole('region', { name: 'Connection' })
  await expect(connection).toContainText('acknowledged a signed request without rows')
  expect(receiver.received).toMatchObject([
    { path: '/rows', body: '[]', headers: { authorization: 'Bearer planted-token' } },
  ])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create export' }).click()
  const dialog = page.getByRole('dialog', { name: 'The export is ready' })
  await dialog.getByRole('button', { name: 'Show' }).click()
  await expect(dialog.getByLabel('Signing secret')).toHaveText(/^[\w-]{43}$/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: 'Rows', exact: true })).toBeVisible()

  await page.goto(`${page.url().replace(/[?#].*/, '')}/edit`)
  await expect(page.getByLabel('Headers')).toHaveValue('Authorization:')
  await page.getByLabel('Rows per request').fill('10')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Rows', exact: true })).toBeVisible()
  receiver.stop()
})
