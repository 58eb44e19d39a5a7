import { expect } from '@playwright/test'
import { AppliedExports } from '../src/contract/exports/export-definition.ts'
import { createExport, expectAccessible, signIn, test } from './journey.ts'

test('finds a change in the project’s history, reverts it, and shows the drift from the applied file', async ({
  page,
  service,
  tenant,
}) => {
  const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) => {
    const url = `${service.origin}/api/projects/@current/batch_exports/${path}`
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
    expect(response.ok).toBe(true)
    return response.status === 204 ? null : ((await response.json()) as unknown)
  }
  await createExport(service, tenant, { name: 'Customers' })
  const definition = {
    name: 'Orders',
    interval: 'hour',
    destination: { type: 'File', config: { path: 'orders' } },
  }
  const applied = await send('POST', 'apply/', { exports: [definition], source: 'exports.yaml' })
  const orders = AppliedExports.parse(applied).changes[0]?.batch_export ?? ''
  await send('PATCH', `${orders}/`, { interval: 'day' })
  const { id } = await createExport(service, tenant, { name: 'Gone' })
  await send('DELETE', `${id}/`, {})

  await signIn(page, service, tenant.api_key)
  await expect(page.getByText('changed since applied')).toBeVisible()
  await page.getByRole('link', { name: 'History' }).click()
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await expect(changes).toHaveCount(5)
  await expect(changes.filter({ hasText: 'Gone (deleted)' })).toHaveCount(2)
  await expectAccessible(page)
  await page.getByLabel('Export, author or setting').fill('interval')
  await page.getByRole('combobox', { name: 'Change' }).selectOption('changed')
  await expect(changes).toHaveCount(1)
  await expect(page).toHaveURL(/q=interval/)
  await page.reload()
  await expect(changes).toHaveCount(1)

  await changes.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByText('Changed since it was applied from exports.yaml')).toBeVisible()
  const drift = page.getByRole('region', { name: 'As code' })
  await expect(drift).toContainText('Interval')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revert: Changed Interval, Orders' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).click()
  await expect(drift).toContainText('still those of the file')
  await expect(page.getByText('reverting an earlier change')).toBeVisible()
})
