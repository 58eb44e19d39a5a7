import { expect } from '@playwright/test'
import { createSignInLink } from '../src/service/auth/sign-in-link.ts'
import { systemClock } from '../src/service/clock.ts'
import { firstOwner } from '../src/service/store/accounts/users.ts'
import { withStore } from './connect-store.ts'
import { createExport, expectAccessible, keyField, openSettings, rowWith, test } from './journey.ts'

test('an owner comes by a link that works once, chooses a password, signs in elsewhere with it, and confirms it for a key', async ({
  page,
  browser,
  service,
  tenant,
}) => {
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  const owner = await withStore(service, (store) => firstOwner(store, tenant.organization_id))
  if (!owner) throw new Error('the organization has no owner')
  const link = await withStore(service, (store) =>
    createSignInLink({ store, clock: systemClock }, service.origin, owner),
  )
  await page.goto(link.replace('localhost', '127.0.0.1'))
  await expect(page.getByRole('heading', { name: 'Welcome to Spool' })).toBeVisible()
  await expect(page).not.toHaveURL(/#link=/)
  await expectAccessible(page)
  const email = `ada-${tenant.project_id}@people.example`
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('qwertyuiop')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByText('This password is easily guessed.')).toBeVisible()
  const password = 'sixteen purple tea cups'
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settings Ada Lovelace' })).toBeVisible()

  const context = await browser.newContext()
  const elsewhere = await context.newPage()
  await elsewhere.goto(`${service.origin}/exports/${id}/logs`)
  await elsewhere.getByLabel('E-mail').fill(email)
  await expect(elsewhere.getByText('You are signed out')).toHaveCount(0)
  await elsewhere.getByLabel('Password').fill('not the password')
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(elsewhere.getByText('The e-mail address or the password is wrong.')).toBeVisible()
  await expectAccessible(elsewhere)
  await elsewhere.getByLabel('Password').fill(password)
  await elsewhere.keyboard.press('Enter')
  await expect(elsewhere.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await expect(elsewhere).toHaveURL(/\/logs$/)

  await openSettings(page)
  await page.getByRole('link', { name: 'Your account' }).click()
  await expect(rowWith(page, 'this one')).toHaveCount(1)
  await expect(page.getByRole('row', { name: /Chrome on/ })).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('Signed out everywhere else.')).toBeVisible()
  await elsewhere.keyboard.press('p')
  await expect(elsewhere).toHaveURL(/\/login\?then=/)
  await context.close()

  const confirmed_at = new Date(Date.now() - 3_600_000)
  await withStore(service, (store) =>
    store.updateTable('sessions').set({ confirmed_at }).where('user_id', '=', owner.user_id).execute(),
  )
  await page.goto(`${service.origin}/settings/keys`)
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('dialog').getByLabel('Label').fill('Mine')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expectAccessible(page)
  await dialog.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The password is wrong.')).toBeVisible()
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The key is ready')).toBeVisible()
})

test('the sign-in page leads to no other site', async ({ page, service, tenant }) => {
  for (const target of ['//evil.example/', '/\\evil.example/', 'https://evil.example/']) {
    await page.goto(`${service.origin}/login?then=${encodeURIComponent(target)}`)
    await (await keyField(page)).fill(tenant.api_key)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(service.origin)
  }
})
