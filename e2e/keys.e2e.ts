import { expect } from '@playwright/test'
import {
  createExport,
  expectAccessible,
  keyField,
  rowWith,
  signIn,
  test,
  openAccountMenu,
} from './journey.ts'

test('tries a wrong key, sees what a valid key may do, and signs in', async ({ page, service, tenant }) => {
  await page.goto(`${service.origin}/login`)
  await (await keyField(page)).fill('phx_thisKeyDoesNotExistAtAllHere')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('The service does not know this key.')).toBeVisible()
  await expectAccessible(page)
  await (await keyField(page)).fill(tenant.api_key)
  await expect(page.getByRole('region', { name: 'Permissions of this key' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
})

test('creates a key, sees it once, uses it and revokes it', async ({ page, browser, service, tenant }) => {
  await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key, '/settings/keys')
  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Read only')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('button', { name: /show/i }).click()
  const value = /phx_\w+/.exec(await dialog.innerText())?.[0] ?? ''
  expect(value).not.toBe('')
  // The key is shown only once, so neither one Escape nor a second closes the dialog.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog.getByText(value)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(rowWith(page, 'Read only')).toBeVisible()
  expect(await page.content()).not.toContain(value)

  const context = await browser.newContext()
  const reader = await context.newPage()
  await signIn(reader, service, value)
  await expect(rowWith(reader, 'Orders')).toBeVisible()
  await expect(rowWith(reader, 'Orders').getByRole('switch')).toHaveAttribute('aria-disabled', 'true')
  await reader.getByRole('link', { name: 'Orders' }).click()
  const backfill = reader.getByRole('button', { name: 'Backfill', exact: true })
  await expect(backfill).toHaveAttribute('aria-disabled', 'true')
  await expect(reader.getByText("API key missing required scope 'batch_export:write'").first()).toBeAttached()
  await expectAccessible(reader)

  await rowWith(page, 'Read only').getByRole('button', { name: 'Revoke' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Revoke/ })
    .click()
  await expect(rowWith(page, 'Read only')).toHaveCount(0)
  await reader.reload()
  await expect(reader).toHaveURL(/\/login/)
  await signIn(reader, service, tenant.api_key, new URL(reader.url()).searchParams.get('then') ?? '')
  await expect(reader.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await context.close()
})

test('a key in the URL signs in every tab, nothing of it is kept where scripts can read it, and signing out in one tab signs out all', async ({
  page,
  context,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await signIn(page, service, tenant.api_key)
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Orders' }).click({ modifiers: ['ControlOrMeta'] })
  const second = await opening
  await expect(second.getByRole('heading', { name: 'Orders' })).toBeVisible()
  const third = await context.newPage()
  await third.goto(`${service.origin}/recordings`)
  await expect(third.getByRole('heading', { name: 'Recordings' })).toBeVisible()
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  const readable = () =>
    [...Object.entries(localStorage), ...Object.entries(sessionStorage), document.cookie].join()
  for (const secret of [tenant.api_key, cookie?.value ?? ''])
    expect(await third.evaluate(readable)).not.toContain(secret)

  await (await openAccountMenu(second)).getByRole('menuitem', { name: 'Sign out' }).click()
  for (const tab of [second, page, third])
    await expect(tab.getByRole('heading', { name: 'Sign in to Spool' })).toBeVisible()
  await page.goto(`${service.origin}/exports`)
  await expect(page).toHaveURL(/\/login\?then=/)
  // The session has ended, not only the cookie.
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
  expect((await fetch(`${service.origin}/api/users/@me/`, { headers })).status).toBe(401)
})

test('Retry signs in with the key from the URL after the service did not respond, and only memory keeps the key', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  // The service stays unreachable for the page, which otherwise would try again itself.
  await page.route(/\/_health$/, (route) => route.abort('connectionrefused'))
  const signIns = /\/api\/sessions\/$/
  await page.route(signIns, (route) => route.abort('connectionrefused'))
  await signIn(page, service, tenant.api_key)
  const problem = page.getByRole('alert')
  await expect(problem).toContainText('The service cannot be reached.')
  await expectAccessible(page)
  const kept = () =>
    [
      location.href,
      ...[history.state, localStorage, sessionStorage].map((each) => JSON.stringify(each)),
    ].join()
  expect(await page.evaluate(kept)).not.toContain(tenant.api_key)

  await page.route(signIns, (route) => route.fulfill({ status: 503, body: 'Starting' }))
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(problem).toContainText('503')
  await page.unroute(signIns)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(rowWith(page, 'Orders')).toBeVisible()
})

test('after a sign-out in another tab, a key in the URL that failed to sign in is forgotten', async ({
  page,
  context,
  service,
  tenant,
}) => {
  const signIns = /\/api\/sessions\/$/
  await page.route(signIns, (route) => route.abort('connectionrefused'))
  await signIn(page, service, tenant.api_key)
  await expect(page.getByRole('alert')).toContainText('The service cannot be reached.')
  const other = await context.newPage()
  await signIn(other, service, tenant.api_key)
  await (await openAccountMenu(other)).getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login/)

  const sent: string[] = []
  page.on('request', (request) => void (signIns.test(request.url()) && sent.push(request.url())))
  await page.goBack()
  await page.waitForURL(/\/login/)
  expect(sent).toEqual([])
})
