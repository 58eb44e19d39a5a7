import { expect } from '@playwright/test'
import { createSignInLink } from '../src/service/auth/sign-in-link.ts'
import { systemClock } from '../src/service/clock.ts'
import { newId } from '../src/service/store/schema/identifier.ts'
import { insertRow } from '../src/service/store/schema/rows.ts'
import { visitorName } from '../src/contract/recordings/visitor-name.ts'
import {
  createExport,
  expectAccessible,
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

test('an owner invites an analyst, who sees what analysts see while an editor pauses an export; the audit log names both, one leaves and one is removed', async ({
  page,
  browser,
  service,
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
  await dialog.getByLabel('E-mail').fill('ada@people')
  await dialog.getByLabel('Only some projects').check()
  await dialog.getByLabel('My project').selectOption('No access')
  await dialog.getByRole('button', { name: 'Create link' }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Choose at least one project.' })).toBeVisible()
  await dialog.getByLabel('Only some projects').uncheck()
  await dialog.getByLabel('E-mail').fill('ada@people.example')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Show' }).click()
  const link = await dialog.getByLabel('Invite link').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
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
  await editing.getByRole('switch', { name: 'Orders: run on schedule' }).click()
  await expect(rowWith(editing, 'Orders', 'paused')).toBeVisible()

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

  await (await openAccountMenu(editing)).getByRole('menuitem', { name: 'Account' }).click()
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

/** Inserts an editor of the tenant; returns a link that signs her in. */
function linkOfEditor(service: RunningService, { organization_id }: Tenant): Promise<string> {
  return withStore(service, async (store) => {
    const created_at = new Date()
    const user_id = newId(created_at.getTime())
    await insertRow(store, 'users', {
      id: user_id,
      email: `${user_id}@people.example`,
      first_name: 'Eve',
      created_at,
    })
    const { user_id: id } = await insertRow(store, 'members', {
      organization_id,
      user_id,
      role: 'editor',
      created_at,
    })
    const link = await createSignInLink({ store, clock: systemClock }, service.origin, {
      user_id: id,
      organization_id,
    })
    return link.replace('localhost', '127.0.0.1')
  })
}
