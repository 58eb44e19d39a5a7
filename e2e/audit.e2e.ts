import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { createExport, expectAccessible, signIn, test, openSettings } from './journey.ts'

test('finds who changed an export in the audit log, reads what changed, exports it and sets a receiver', async ({
  page,
  service,
  tenant,
}) => {
  const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  await createExport(service, tenant, { name: 'Customers' })
  const url = `${service.origin}/api/projects/@current/batch_exports/${id}/`
  const response = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ interval: 'day' }) })
  expect(response.ok).toBe(true)

  await signIn(page, service, tenant.api_key)
  await openSettings(page)
  await page
    .getByRole('link', { name: 'Audit log' })
    .or(page.getByRole('menuitem', { name: 'Audit log' }))
    .click()
  const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await expect(entries.filter({ hasText: 'changed the export Orders' })).toBeVisible()
  await expect(page.getByText('Entries are kept for 2 years.')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('orders')
  await expect(entries).toHaveCount(2)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'What' }).selectOption('Exports')
  await page.getByRole('combobox', { name: 'Action' }).selectOption('updated')
  await expect(entries).toHaveCount(1)
  await page.reload()
  await expect(entries).toHaveCount(1)

  await entries.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Before: hour')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Only entries of this object' }).click()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page).toHaveURL(/audit$/)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as JSON lines' }).click()
  const lines = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\n')
  expect(lines.filter((line) => line.includes('"export.created"'))).toHaveLength(2)

  await page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Days to keep entries').fill('3')
  await dialog.getByLabel('Send new entries to').selectOption('a webhook')
  await dialog.getByLabel('URL').fill('http://127.0.0.1:9/secret-path')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Keep entries for at least 30 days.')).toBeVisible()
  await dialog.getByLabel('Days to keep entries').fill('365')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'The receiver is ready' })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('kept for 1 year and sent to http://127.0.0.1:9.')).toBeVisible()
  await expect(entries.first()).toContainText('changed the settings of the audit log')
})
