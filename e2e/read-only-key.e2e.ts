import { expect, type Page } from '@playwright/test'
import { createExport, expectAccessible, rowWith, signIn, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

const missingScope = "API key missing required scope 'batch_export:write'"

test('sees everything with a read-only key, and each action names the missing scope', async ({
  page,
  service,
  tenant,
}) => {
  await openAsReader(page, service, tenant)
  await page.getByRole('button', { name: 'Actions for Orders' }).click()
  for (const action of ['Pause', 'Backfill…', 'Retry failed', 'Edit', 'Delete']) {
    const item = page.getByRole('menuitem', { name: action, exact: true })
    await expect(item).toHaveAttribute('aria-disabled', 'true')
    await expect(item).toHaveAccessibleDescription(`Unavailable: ${missingScope}`)
  }
  await expect(page.getByText(missingScope).filter({ visible: true })).toHaveCount(1)
  await expect(page.getByRole('menuitem', { name: 'Open' })).not.toHaveAttribute('aria-disabled')
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Open' }).click()
  for (const action of ['Edit', 'Pause', 'Backfill', 'Retry all failed'])
    await expect(page.getByRole('button', { name: action, exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  await page.getByRole('button', { name: 'Backfill', exact: true }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: missingScope }).first()).toBeVisible()
  await expectAccessible(page)
  for (const tab of ['Backfills', 'Logs', 'Settings']) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/${tab.toLowerCase()}`))
    await expectAccessible(page)
  }
  await page.goto(`${service.origin}/exports/new`)
  await expect(page.getByText('This key may not create batch exports')).toBeVisible()
  await expect(page.getByText('It lacks the scope batch_export:write')).toBeVisible()
  await expectAccessible(page)
})

test('by keyboard alone: each shortcut names the scope that a read-only key lacks', async ({
  page,
  service,
  tenant,
}) => {
  await openAsReader(page, service, tenant)
  await page.keyboard.press('j')
  await expect(rowWith(page, 'Orders')).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByText(missingScope).last()).toBeVisible()
  await expect(rowWith(page, 'Orders').getByRole('switch')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await page.keyboard.press('b')
  await expect(page.getByRole('status').filter({ hasText: missingScope })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

async function openAsReader(page: Page, service: RunningService, tenant: Tenant): Promise<void> {
  await createExport(service, tenant, { name: 'Orders' })
  const of = ['--organization', tenant.organization_id, '--label', 'Reader']
  const scopes = ['--scopes', 'batch_export:read']
  const { api_key: key } = await service.admin<{ api_key: string }>('key', 'create', ...of, ...scopes)
  await signIn(page, service, key)
  await expect(rowWith(page, 'Orders')).toBeVisible()
}
