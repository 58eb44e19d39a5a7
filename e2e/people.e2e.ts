import { expect } from '@playwright/test'
import { hashPassword } from '../src/service/auth/passwords.ts'
import { createSignInLink } from '../src/service/auth/sign-in-link.ts'
import { systemClock } from '../src/service/clock.ts'
import { firstOwner } from '../src/service/store/accounts/users.ts'
import { appCode } from '../src/service/testing/accounts/test-authenticator.ts'
import { newProjectToken } from '../src/service/auth/api-key-value.ts'
import { insertRow } from '../src/service/store/schema/rows.ts'
import { withStore } from './connect-store.ts'
import { createTenant } from './create-tenant.ts'
import {
  createExport,
  expectAccessible,
  keyField,
  mailedLink,
  openAccountMenu,
  rowWith,
  signIn,
  test,
} from './journey.ts'

test('an owner comes by a link that works once, chooses a password, signs in elsewhere with it, changes the address by a link, and confirms the password for a key', async ({
  page,
  browser,
  service,
  mailServer,
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
  await expect(page.getByRole('button', { name: 'Account: Ada Lovelace' })).toBeVisible()

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

  const menu = await openAccountMenu(page)
  await expect(page.getByText(`${email} · Owner`)).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: 'Your account' })).toBeFocused()
  await expectAccessible(page)
  for (const key of ['End', 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'])
    await page.keyboard.press(key)
  await expect(menu.getByRole('menuitemradio', { name: 'Dark' })).toHaveAttribute('aria-checked', 'true')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Account: Ada Lovelace' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(menu.getByRole('menuitem', { name: 'Your account' })).toBeFocused()
  // Closed and opened again before the browser reports either.
  await page.evaluate(() => {
    const popover = document.querySelector<HTMLElement>(':popover-open')
    popover?.hidePopover()
    document.querySelector<HTMLElement>(`[popovertarget="${popover?.id}"]`)?.click()
  })
  await expect(menu.getByRole('menuitem', { name: 'Your account' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rowWith(page, 'this one')).toHaveCount(1)
  await expect(page.getByRole('row', { name: /Chrome on/ })).toHaveCount(2)
  await expectAccessible(page)
  const newEmail = email.replace('ada', 'lovelace')
  await page.getByLabel('E-mail').fill(newEmail)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(`A link was sent to ${newEmail}`)).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await expectAccessible(page)
  const confirming = await context.newPage()
  await confirming.goto(await mailedLink(mailServer, newEmail, 'Confirm your e-mail address'))
  await expectAccessible(confirming)
  await confirming.getByRole('button', { name: 'Confirm' }).click()
  await expect(confirming.getByText(`Your e-mail address is now ${newEmail}.`)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('E-mail')).toHaveValue(newEmail)
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
  // A link asks for a code, too.
  const link = await withStore(service, async (store) => {
    const owner = await firstOwner(store, tenant.organization_id)
    if (!owner) throw new Error('the organization has no owner')
    return createSignInLink({ store, clock: systemClock }, service.origin, owner)
  })
  await page.goto(link.replace('/#', '/settings/account#'))
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

test(
  'someone in two organizations switches, and a tab that shows the other one says so; a link signs them in as someone else only if they agree',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    const other = await createTenant(service, 'Globex')
    const longName = `The shop ${'of lamps and shades '.repeat(9)}`.trim()
    const user_id = await withStore(service, async (store) => {
      const { organization_id } = tenant
      const created_at = new Date()
      for (const name of [longName, 'Berlin', 'Oslo', 'Paris', 'Rome'])
        await insertRow(store, 'projects', {
          organization_id,
          name,
          api_token: newProjectToken(),
          created_at,
        })
      const owner = await firstOwner(store, organization_id)
      const user = { user_id: owner?.user_id ?? '', role: 'editor' as const, created_at }
      await insertRow(store, 'members', { ...user, organization_id: other.organization_id })
      return user.user_id
    })
    await createExport(service, other, { name: 'Returns' })
    const link = await withStore(service, (store) =>
      createSignInLink({ store, clock: systemClock }, service.origin, { user_id, ...tenant }),
    )
    await page.goto(link.replace('localhost', '127.0.0.1'))
    await page.getByRole('button', { name: 'Skip for now' }).click()

    await page.goto(`${service.origin}/recordings`)
    const projects = page.getByRole('button', { name: 'Project: My project' })
    await projects.click()
    const find = page.getByRole('combobox', { name: 'Find: project' })
    await expect(find).toBeFocused()
    await expect(page.getByRole('option')).toHaveCount(6)
    await expectAccessible(page)
    await page.keyboard.type('lamps')
    await expect(page.getByRole('option')).toHaveText([longName])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: `Project: ${longName}` })).toBeVisible()
    await expect(page).toHaveURL(/\/recordings\?project=\d+$/)
    await page.getByRole('button', { name: `Project: ${longName}` }).click()
    const opened = context.waitForEvent('page')
    await page.getByRole('option', { name: 'Oslo' }).click({ modifiers: ['ControlOrMeta'] })
    const behind = await opened
    await expect(behind.getByRole('button', { name: 'Project: Oslo' })).toBeVisible()
    await behind.goto(`${service.origin}/settings/keys`)
    await expect(behind).toHaveURL(/project=\d+$/)
    await page.keyboard.press('Escape')

    const { name } = await page.evaluate(
      async () => (await (await fetch('/api/users/@me/')).json()).organization,
    )
    await page.getByRole('button', { name: `Organization: ${name}` }).focus()
    for (const key of ['Enter', 'ArrowDown']) await page.keyboard.press(key)
    await expectAccessible(page)
    await page.getByRole('option', { name: 'Globex' }).click()
    await expect(page.getByRole('button', { name: 'Organization: Globex' })).toBeVisible()
    await page.getByRole('link', { name: 'Batch exports', exact: true }).click()
    await expect(rowWith(page, 'Returns')).toBeVisible()

    const moved = behind.getByRole('dialog', { name: 'You now work in Globex' })
    await expectAccessible(behind)
    await moved.getByRole('button', { name: 'Close' }).click()
    await behind.getByRole('button', { name: 'New key' }).click()
    await behind.getByLabel('Label').fill('Meant for the other organization')
    await behind.getByRole('button', { name: 'Create key' }).click()
    await expect(moved).toBeVisible()
    await moved.getByRole('button', { name: 'Switch back' }).click()
    await expect(behind.getByRole('button', { name: `Organization: ${name}` })).toBeVisible()
    await expect(behind.getByText('Meant for the other organization')).toHaveCount(0)

    const address = page.url()
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'This page belongs to Globex' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Switch', exact: true }).click()
    await expect(rowWith(page, 'Returns')).toBeVisible()
    await behind.close()

    const forged = `${service.origin}/recordings#key=${other.api_key}`
    await page.goto(forged)
    const question = page.getByRole('dialog', { name: 'Sign in as someone else?' })
    await expect(question).toContainText('signs you in as the API key “First key” (Globex)')
    expect(page.url()).not.toContain('phx_')
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Account: Admin' })).toBeVisible()
    await page.goto(forged)
    await question.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('button', { name: 'Account: First key' })).toBeVisible()
    await signIn(page, service, other.api_key)
    await expect(rowWith(page, 'Returns')).toBeVisible()
  },
)
