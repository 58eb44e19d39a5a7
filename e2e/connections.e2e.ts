import { expect } from '@playwright/test'
import { createExport, expectAccessible, rowWith, send, signIn, test } from './journey.ts'
import { startObjectStore } from './object-store.ts'

const keys = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }

test('creates a connection in an export’s form, which another export can choose', async ({
  page,
  service,
  tenant,
}) => {
  const store = await startObjectStore('lake')
  await signIn(page, service, tenant.api_key, '/exports/new')
  await page.getByLabel('Name').fill('Orders')
  await page.getByLabel('Search destinations').fill('cloudflare')
  await expect(page.getByRole('radio')).toHaveCount(2 + 3)
  await page.getByRole('radio', { name: 'S3-compatible store' }).check()
  await expect(page.getByText('This project has no connection of this kind yet: create one.')).toBeVisible()
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByRole('combobox', { name: 'Connection' })).toHaveAccessibleDescription(
    /Integration is required|choose/i,
  )

  await page.getByRole('button', { name: 'New connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New connection: S3-compatible store' })
  await dialog.getByRole('button', { name: 'Create connection' }).click()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Lake')
  await dialog.getByLabel('Endpoint').fill(store.endpoint)
  await dialog.getByLabel('Access key id').fill('S3RVER')
  await dialog.getByLabel('Secret access key').fill('S3RVER')
  await expectAccessible(page)
  await dialog.getByLabel('Secret access key').press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Connection' })).toHaveText(/Lake/)
  await expect(page.getByRole('combobox', { name: 'Connection' })).toHaveAccessibleDescription(
    new RegExp(store.endpoint),
  )
  await page.getByLabel('Bucket').fill('lake')
  await page.getByLabel('Region').fill('us-east-1')
  await page.getByLabel('Prefix').fill('orders/')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByRole('region', { name: 'Connection' })).toContainText('The connection works.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()

  await page.goto(`${service.origin}/settings/connections`)
  const row = rowWith(page, 'Lake')
  await expect(row).toContainText(store.endpoint)
  await row.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()
  await store.stop()
})

test('a secret that fails changes nothing, and a connection in use is not deleted', async ({
  page,
  service,
  tenant,
}) => {
  const store = await startObjectStore('lake')
  await send(service, tenant, 'integrations/', {
    kind: 's3-compatible',
    config: { name: 'Lake', endpoint_url: store.endpoint, ...keys },
  })
  const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/integrations/`, {
    headers: { authorization: `Bearer ${tenant.api_key}` },
  })
  const { results }: { results: { id: number }[] } = await response.json()
  for (const name of ['Orders', 'Carts'])
    await createExport(service, tenant, {
      name,
      destination: {
        type: 'S3Compatible',
        config: { bucket_name: 'lake', region: 'us-east-1', prefix: name },
        integration_id: results[0]?.id,
      },
    })
  await signIn(page, service, tenant.api_key, '/settings/connections')
  const row = rowWith(page, 'Lake')
  await expect(row.getByRole('link')).toHaveText(['Carts', 'Orders'])
  const remove = row.getByRole('button', { name: 'Delete Lake' })
  await expect(remove).toBeDisabled()
  await expect(remove).toHaveAccessibleDescription(/Used by Carts and Orders/)

  await row.getByRole('button', { name: 'Rotate Lake' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate Lake' })
  await expect(dialog).toContainText('2 exports use it.')
  await expect(dialog.getByLabel('Endpoint')).toHaveValue(store.endpoint)
  await dialog.getByLabel('Access key id').fill('wrong')
  await dialog.getByLabel('Secret access key').fill('wrong')
  await dialog.getByRole('button', { name: 'Test and rotate' }).click()
  const refusal = dialog.getByRole('alert')
  await expect(refusal).toContainText('Nothing was changed: 2 exports do not work with it.')
  await expect(refusal.getByRole('listitem')).toHaveText([/^"Carts"/, /^"Orders"/])
  await expectAccessible(page)
  await dialog.getByLabel('Access key id').fill('S3RVER')
  await dialog.getByLabel('Secret access key').fill('S3RVER')
  await dialog.getByRole('button', { name: 'Test and rotate' }).click()
  await expect(page.getByText('Rotated Lake: 2 exports tested and switched.')).toBeVisible()
  await expect(row).toContainText('now')
  await store.stop()
})
