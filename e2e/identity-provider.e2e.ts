import { expect } from '@playwright/test'
import { startIdentityProvider } from '../src/service/testing/identity-provider.ts'
import { createExport, expectAccessible, rowWith, signIn, test, openSettings } from './journey.ts'

test('an owner adds an identity provider, and an analyst signs in with it: they see the project of their group alone', async ({
  page,
  browser,
  service,
  tenant,
}) => {
  const id = `company-${tenant.project_id}`
  const name = `Company ${tenant.project_id}`
  const provider = await startIdentityProvider({ redirectUri: `${service.origin}/sign-in/${id}/callback` })
  const claims = { email: `${id}@people.example`, email_verified: true, name: 'Ada', groups: ['others'] }
  Object.assign(provider.person, { claims })
  await createExport(service, tenant, { name: 'Orders' })

  await signIn(page, service, tenant.api_key)
  await openSettings(page)
  await page.getByRole('link', { name: 'Sign-in' }).click()
  await expect(page.getByText('No identity provider yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a provider' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByLabel('Id', { exact: true }).fill(id)
  await expect(form.getByText(`${service.origin}/sign-in/${id}/callback`)).toBeVisible()
  await form.getByLabel('Issuer').fill('https://10.0.0.1')
  await form.getByLabel('Client id').fill('spool')
  await form.getByLabel('Client secret').fill('provider-secret')
  await form.getByLabel('Scopes').fill('openid email profile groups')
  await form.getByRole('button', { name: 'Add a group' }).click()
  await form.getByLabel('Group', { exact: true }).fill('shop-analysts')
  await form.getByLabel('Projects').selectOption('My project')
  await form.getByRole('button', { name: 'Add provider' }).click()
  await expect(form.getByText('is not on the public internet')).toBeVisible()
  await expect(form.getByLabel('Issuer')).toBeFocused()
  await form.getByLabel('Issuer').fill(provider.issuer)
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 700 })
  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(await isTooWide()).toBe(false)
  await form.getByRole('button', { name: 'Add provider' }).click()
  await expect(rowWith(page, name)).toContainText('1 group')
  expect(await isTooWide()).toBe(false)
  await expectAccessible(page)
  await page.getByRole('button', { name: `Test ${name}` }).click()
  await expect(page.getByText('The provider answers as it should.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 800 })

  const context = await browser.newContext()
  const analyst = await context.newPage()
  await analyst.goto(`${service.origin}/login?then=/exports`)
  await analyst.getByRole('link', { name: `Sign in with ${name}` }).click()
  await expect(analyst.getByRole('alert')).toContainText('Your groups give you no access.')
  await expectAccessible(analyst)

  claims.groups.push('shop-analysts')
  await analyst.getByRole('link', { name: `Sign in with ${name}` }).click()
  await expect(rowWith(analyst, 'Orders')).toBeVisible()
  await expect(analyst.getByRole('button', { name: /^Project/ })).toHaveCount(0)
  await expect(analyst.getByRole('navigation', { name: 'Main' })).toContainText('My project')
  await rowWith(analyst, 'Orders').getByRole('button', { name: 'Actions for Orders' }).click()
  const remove = analyst.getByRole('menuitem', { name: 'Delete', exact: true })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await expect(remove).toHaveAccessibleDescription(
    /Your role, analyst, lacks the scope 'batch_export:write'\. An owner or admin/,
  )
  // The question that follows a link on another site; continuing begins on a page of the service.
  await analyst.goto(`${service.origin}/login?problem=another_site&then=/exports`)
  await expect(analyst.getByRole('alert')).toContainText('another site asks to sign you in again')
  await analyst.getByRole('link', { name: `Sign in with ${name}` }).click()
  await expect(rowWith(analyst, 'Orders')).toBeVisible()
  await analyst.goto(`${service.origin}/settings/sign-in`)
  await expect(analyst.getByText(/organization:read/).first()).toBeVisible()
  await context.close()

  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No identity provider yet')).toBeVisible()
  await provider.stop()
})
