import { expect } from '@playwright/test'
import type { Role } from '../src/contract/accounts/roles.ts'
import { createSignInLink } from '../src/service/auth/sign-in-link.ts'
import { hashPassword } from '../src/service/auth/passwords.ts'
import { systemClock } from '../src/service/clock.ts'
import { newId } from '../src/service/store/schema/identifier.ts'
import { insertRow } from '../src/service/store/schema/rows.ts'
import { visitorName } from '../src/contract/recordings/visitor-name.ts'
import {
  createExport,
  expectAccessible,
  mailedLink,
  openAccountMenu,
  openSettings,
  rowWith,
  signIn,
  test,
  type Tenant,
} from './journey.ts'
import { withStore } from './connect-store.ts'
import type { RunningService } from './service.ts'
import { element, pageShown, sendSession } from './recorded-session.ts'

const password = 'sixteen purple tea cups'

test('an owner invites an analyst by e-mail, who sees what analysts see while an editor pauses an export; the audit log names both, one leaves and one is removed', async ({
  page,
  browser,
  service,
  mailServer,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await sendSession(
    service,
    tenant,
    pageShown(Date.now() - 600_000, { body: [element('h1', {}, 'The recorded page')] }),
  )
  await signIn(page, service, tenant.api_key)
  await openSettings(page)
  await page.getByRole('link', { name: 'Members' }).click()
  await expect(page.getByText('Nobody else works here yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Leave / }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'the last owner' }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail (optional)').fill('ada@people')
  await dialog.getByLabel('Only some projects').check()
  await dialog.getByLabel('My project').selectOption('No access')
  await expect(dialog.getByLabel('Send it by e-mail')).toBeChecked()
  await dialog.getByRole('button', { name: 'Send invite' }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Choose at least one project.' })).toBeVisible()
  await dialog.getByLabel('Only some projects').uncheck()
  await dialog.getByLabel('E-mail (optional)').fill('ada@people.example')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Show' }).click()
  const shown = await dialog.getByLabel('Invite link').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const link = await mailedLink(mailServer, 'ada@people.example', 'invites you')
  expect(link).toBe(shown)
  await expect(rowWith(page, 'ada@people.example', 'Sent')).toBeVisible()
  await expect(rowWith(page, 'ada@people.example', 'Analyst')).toBeVisible()

  const context = await browser.newContext({ viewport: { width: 375, height: 800 }, colorScheme: 'dark' })
  const joining = await context.newPage()
  await joining.goto(link)
  await expect(joining.getByText('You are invited as an analyst')).toBeVisible()
  await expectAccessible(joining)
  await joining.getByLabel('Name').fill('Ada Lovelace')
  await joining.getByLabel('Password').fill('short')
  await joining.keyboard.press('Enter')
  await expect(joining.getByText('Choose a password of at least 10 characters.')).toBeVisible()
  await joining.getByLabel('Password').fill(password)
  await joining.keyboard.press('Enter')
  await expect(joining.getByRole('heading', { name: 'Home' })).toBeVisible()
  await joining.goto(link)
  await expect(joining.getByText('This invite has been used or revoked')).toBeVisible()
  await joining.setViewportSize({ width: 1280, height: 800 })
  await joining.goto(`${service.origin}/exports`)
  await expect(rowWith(joining, 'Orders', 'waiting')).toBeVisible()

  const editing = await (await browser.newContext()).newPage()
  await editing.goto(await linkOfEditor(service, tenant))
  await editing.getByRole('button', { name: 'Skip for now' }).click()
  await editing.getByRole('link', { name: 'Batch exports', exact: true }).click()
  // The row shows the pause before the service has it.
  const paused = editing.waitForResponse(/\/pause\/$/)
  await editing.getByRole('switch', { name: 'Orders: run on schedule' }).click()
  await expect(rowWith(editing, 'Orders', 'paused')).toBeVisible()
  expect((await paused).ok()).toBe(true)

  await joining.reload()
  await expect(rowWith(joining, 'Orders', 'paused')).toBeVisible()
  await joining.getByRole('button', { name: 'Actions for Orders' }).click()
  await expect(joining.getByRole('menuitem', { name: 'Delete' })).toHaveAccessibleDescription(
    /Your role, analyst, lacks the scope 'batch_export:write'/,
  )
  await joining.keyboard.press('Escape')
  await joining.getByRole('link', { name: 'Recordings', exact: true }).click()
  await rowWith(joining, visitorName(null, 'ada')).getByRole('link').first().click()
  const recorded = joining.frameLocator('iframe').frameLocator('iframe')
  await expect(recorded.getByText('The recorded page')).toBeVisible()
  await joining.goto(`${service.origin}/settings/members`)
  await expect(joining.getByRole('button', { name: 'Invite', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  )

  await openSettings(page)
  await page.getByRole('link', { name: 'Audit log' }).click()
  const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await expect(
    entries.filter({ hasText: 'Eve' }).filter({ hasText: 'paused the export Orders' }),
  ).toHaveCount(1)
  await expect(
    entries.filter({ hasText: 'Ada Lovelace' }).filter({ hasText: 'watched the recording' }),
  ).toHaveCount(1)

  await (await openAccountMenu(editing)).getByRole('menuitem', { name: 'Your account' }).click()
  await editing.getByRole('button', { name: /^Leave / }).click()
  await expectAccessible(editing)
  await editing.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(editing.getByRole('heading', { name: 'Sign in to Spool' })).toBeVisible()
  await editing.context().close()

  await page.goto(`${service.origin}/settings/members`)
  await expect(rowWith(page, 'Eve')).toHaveCount(0)
  const ada = rowWith(page, 'ada@people.example')
  await ada.getByRole('combobox', { name: 'Role of Ada Lovelace' }).selectOption('Editor')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(ada.getByRole('combobox', { name: 'Role of Ada Lovelace' })).toHaveValue('analyst')
  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByText('What each role may do').click()
  await expect(rowWith(page, 'watch recordings')).toContainText(/yes.*yes.*no.*yes/)
  await expectAccessible(page)
  await ada.getByRole('button', { name: 'Remove Ada Lovelace' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(ada).toHaveCount(0)
  await joining.getByRole('link', { name: 'Recordings', exact: true }).click()
  await expect(joining).toHaveURL(/\/login/)
  await expect(joining.getByText('You are signed out')).toBeVisible()
  await context.close()
})

test(
  'a member who is mentioned in a note and has forgotten the password sets another by e-mail, and finds the note on Home',
  { tag: '@slow' },
  async ({ page, browser, service, mailServer, tenant }) => {
    const email = `ada-${tenant.project_id}@people.example`
    await insertMember(service, tenant, {
      role: 'analyst',
      first_name: 'Ada Lovelace',
      email,
      password_hash: await hashPassword(password),
    })
    await sendSession(service, tenant, pageShown(Date.now() - 600_000, { body: [element('h1', {})] }))
    await signIn(page, service, tenant.api_key, '/recordings')
    await rowWith(page, visitorName(null, 'ada')).getByRole('link').first().click()
    await expect(page.getByRole('region', { name: 'Recording' })).toBeVisible()
    await page.keyboard.press('c')
    await page.keyboard.type('Too slow, @ad')
    await expect(page.getByRole('option', { name: 'Ada Lovelace' })).toHaveAttribute('aria-selected', 'true')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await page.keyboard.type('a')
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: /^Note at/ })).toHaveValue('Too slow, @Ada Lovelace ')
    await page.keyboard.type('or not?')
    await page.keyboard.press('ControlOrMeta+Enter')
    const text = 'Too slow, @Ada Lovelace or not?'
    await expect(
      page.getByRole('button', { name: new RegExp(`^Note of .+: ${text.slice(0, -1)}`) }),
    ).toBeVisible()
    expect(await mailedLink(mailServer, email, 'mentioned you in a note')).toContain('tab=notes')

    const context = await browser.newContext()
    const own = await context.newPage()
    await own.goto(`${service.origin}/login`)
    await own.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(own.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
    await own.getByLabel('E-mail').fill(email)
    await expectAccessible(own)
    await own.keyboard.press('Enter')
    await expect(own.getByText('a link is on its way')).toBeVisible()
    await own.goto(await mailedLink(mailServer, email, 'Set a new password'))
    await own.getByLabel('New password').fill('qwertyuiop')
    await own.keyboard.press('Enter')
    await expect(own.getByText('This password is easily guessed.')).toBeVisible()
    await expectAccessible(own)
    await own.getByLabel('New password').fill(`${password} again`)
    await own.keyboard.press('Enter')
    await own.getByRole('link', { name: 'Sign in with it' }).click()
    await expect(own.getByRole('heading', { name: 'Sign in to Spool' })).toBeVisible()
    await own.getByLabel('E-mail').fill(email)
    await own.getByLabel('Password').fill(`${password} again`)
    await own.keyboard.press('Enter')

    const mentions = own.getByRole('region', { name: 'Mentions' })
    await expect(mentions).toBeVisible()
    await expectAccessible(own)
    await mentions.getByRole('link', { name: text }).click()
    const notes = own.getByRole('list', { name: 'Notes' })
    await expect(notes.getByText('@Ada Lovelace', { exact: true })).toBeVisible()
    await own.goto(`${service.origin}/`)
    await expect(own.getByRole('heading', { name: 'Home' })).toBeVisible()
    await expect(mentions).toHaveCount(0)
    await context.close()
  },
)

/** Inserts an editor of the tenant; returns a link that signs her in. */
async function linkOfEditor(service: RunningService, tenant: Tenant): Promise<string> {
  const eve = { role: 'editor', first_name: 'Eve', email: `eve-${tenant.project_id}@people.example` } as const
  const member = await insertMember(service, tenant, eve)
  const link = await withStore(service, (store) =>
    createSignInLink({ store, clock: systemClock }, service.origin, member),
  )
  return link.replace('localhost', '127.0.0.1')
}

type NewMember = { role: Role; first_name: string; email: string; password_hash?: string }

function insertMember(
  service: RunningService,
  { organization_id }: Tenant,
  { role, ...user }: NewMember,
): Promise<{ user_id: string; organization_id: string }> {
  return withStore(service, async (store) => {
    const created_at = new Date()
    const id = newId(created_at.getTime())
    await insertRow(store, 'users', { id, ...user, created_at })
    return insertRow(store, 'members', { organization_id, user_id: id, role, created_at })
  })
}
