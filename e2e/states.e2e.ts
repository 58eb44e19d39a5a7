import { expect, type Page } from '@playwright/test'
import {
  createExport,
  expectAccessible,
  keyField,
  exportNames,
  holdUndo,
  rowWith,
  signIn,
  test,
  type Tenant,
} from './journey.ts'
import type { RunningService } from './service.ts'

const pending = 'about to be deleted'

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Orders' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
}

async function chooseDelete(page: Page): Promise<void> {
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Deleting Orders')).toBeVisible()
}

test('undoes a deletion with a shortcut; another is performed after six seconds', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await page.clock.install()
  await signIn(page, service, tenant.api_key)
  await openMenu(page)
  await holdUndo(page, () => chooseDelete(page))
  await expect(rowWith(page, 'Orders')).toContainText(pending)
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rowWith(page, 'Orders')).not.toContainText(pending)
  await page.clock.runFor(10_000)
  expect(await exportNames(service, tenant)).toEqual(['Orders'])

  await openMenu(page)
  await chooseDelete(page)
  await page.clock.runFor(6_000)
  await expect(page.getByRole('region', { name: 'Bulk actions' })).toContainText('Deleted 1 export.')
  await expect(rowWith(page, 'Orders')).toHaveCount(0)
  expect(await exportNames(service, tenant)).toEqual([])
})

test('the palette finds everything, and the help lists the shortcuts of a page', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders, hourly' })
  await createExport(service, tenant, { name: 'Returns' })
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'Returns')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const more = rowWith(page, 'Returns').getByRole('button', { name: 'Actions for Returns' })
  await more.click()
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused()
  await expect(page.getByRole('menu')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('ord hour')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Orders, hourly' })).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByText('Paused Orders, hourly.')).toBeVisible()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Unpause')
  await expectAccessible(page)
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Unpause' })).toBeVisible()
})

test('a page without a network says so, keeps its input, and recovers automatically', async ({
  page,
  context,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key, '/exports/new')
  await page.getByLabel('Name').fill('Half done')
  await context.setOffline(true)
  await expect(page.getByText('This device is offline.')).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByText('This device is offline.')).toHaveCount(0)
  await expect(page.getByLabel('Name')).toHaveValue('Half done')
})

test('lands on the sign-in page with a revoked key, and back on the same page with a new key', async ({
  page,
  service,
  tenant,
}) => {
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  const key = await createKey(service, tenant, ['*'])
  await signIn(page, service, key.value, `/exports/${id}/logs`)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await revokeKey(service, tenant, key.id)
  await page.keyboard.press('p')
  await expect(page.getByText('You are signed out')).toBeVisible()
  await expectAccessible(page)
  await (await keyField(page)).fill(tenant.api_key)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/logs$/)
  await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
})

test('a page names the scope that the key lacks', async ({ page, service, tenant }) => {
  const key = await createKey(service, tenant, ['session_recording:read'])
  await signIn(page, service, key.value)
  await expect(page.getByText('It lacks the scope batch_export:read')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Sign in with another key' }).click()
  await expect(await keyField(page)).toBeVisible()
})

test('a key for recordings alone starts with the recordings', async ({ page, service, tenant }) => {
  const key = await createKey(service, tenant, ['session_recording:read'])
  await signIn(page, service, key.value, '/')
  await expect(page).toHaveURL(/\/recordings$/)
  await expect(page.getByText('No recordings yet')).toBeVisible()
})

type Key = { id: string; value: string }

async function createKey(service: RunningService, tenant: Tenant, scopes: string[]): Promise<Key> {
  const response = await fetch(`${service.origin}/api/personal_api_keys/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'For a while', scopes }),
  })
  return await response.json()
}

async function revokeKey(service: RunningService, tenant: Tenant, id: string): Promise<void> {
  await fetch(`${service.origin}/api/personal_api_keys/${id}/`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${tenant.api_key}` },
  })
}
