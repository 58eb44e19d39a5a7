import { expect } from '@playwright/test'
import { hashPassword } from '../src/service/auth/passwords.ts'
import { createSignInLink } from '../src/service/auth/sign-in-link.ts'
import { systemClock } from '../src/service/clock.ts'
import { firstOwner } from '../src/service/store/accounts/users.ts'
import { appCode } from '../src/service/testing/accounts/test-authenticator.ts'
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

test('someone signs in with a passkey, then with a password and the code of an app, and with a recovery code', async ({
  page,
  service,
  tenant,
}) => {
  const password = 'sixteen purple tea cups'
  const email = `grace-${tenant.project_id}@people.example`
  const password_hash = await hashPassword(password)
  await withStore(service, async (store) => {
    const owner = await firstOwner(store, tenant.organization_id)
    const person = { email, first_name: 'Grace Hopper', password_hash }
    await store
      .updateTable('users')
      .set(person)
      .where('id', '=', owner?.user_id ?? '')
      .execute()
  })
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const device = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const
  const person = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  const options = { ...device, ...person }
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options })
  const login = page.getByRole('button', { name: 'Sign in', exact: true })
  const enterPassword = async () => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await login.click()
  }
  const openAccount = async () => {
    await page.goto(`${service.origin.replace('127.0.0.1', 'localhost')}/settings/account`)
  }
  await openAccount()
  await enterPassword()
  await expect(page.getByText('No passkeys')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Added the passkey Laptop.')).toBeVisible()
  await expect(rowWith(page, 'Laptop', 'never')).toHaveCount(1)
  await page.context().clearCookies()
  // The device would otherwise answer as soon as the field suggests passkeys.
  const answer = (enabled: boolean) =>
    devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  await answer(false)
  await openAccount()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
  await expectAccessible(page)
  await answer(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click({ timeout: 10_000 })
  await expect(rowWith(page, 'this one', 'passkey')).toHaveCount(1)
  await answer(false)
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click()
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  await expectAccessible(page)
  const secret = (await page.getByLabel('Key', { exact: true }).innerText()).replaceAll(/\s/g, '')
  const code = page.getByLabel('Code', { exact: true })
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is wrong.')).toBeVisible()
  await code.fill(appCode(secret, Date.now()))
  await page.keyboard.press('Enter')
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectAccessible(page)
  const recoveryCode = await codes.first().innerText()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 recovery codes are left')).toBeVisible()

  await page.context().clearCookies()
  await openAccount()
  await enterPassword()
  await expect(code).toBeFocused()
  await expectAccessible(page)
  await code.fill('000000')
  await login.click()
  await expect(page.getByText('This code is wrong or has been used.')).toBeVisible()
  // The code of the next half minute, since that of this one has been used.
  await code.fill(appCode(secret, Date.now() + 30_000))
  await login.click()
  await expect(rowWith(page, 'this one', 'password and code')).toHaveCount(1)
  await page.context().clearCookies()
  await openAccount()
  await enterPassword()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await login.click()
  await expect(page.getByText('9 recovery codes are left')).toBeVisible()

  const confirmed_at = new Date(Date.now() - 3_600_000)
  await withStore(service, (store) => store.updateTable('sessions').set({ confirmed_at }).execute())
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expectAccessible(page)
  await answer(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible()
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
