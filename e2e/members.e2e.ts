import { expect } from '@playwright/test'
import { visitorName } from '../src/contract/recordings/visitor-name.ts'
import { createExport, expectAccessible, openSettings, rowWith, signIn, test } from './journey.ts'
import { element, pageShown, sendSession } from './recorded-session.ts'

const password = 'sixteen purple tea cups'

test('invites someone, who joins as an analyst with a password, sees what analysts see, and is removed', async ({
  page,
  browser,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders' })
  await sendSession(service, tenant, pageShown(Date.now() - 600_000, { body: [element('h1', {})] }))
  await signIn(page, service, tenant.api_key)
  await openSettings(page)
  await page.getByRole('link', { name: 'Members' }).click()
  await expect(page.getByText('Nobody else works here yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Leave Admin' }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'the last owner' }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Invite' }).click()
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
  await joining.goto(`${service.origin}/recordings`)
  await expect(rowWith(joining, visitorName(null, 'ada'))).toBeVisible()
  await joining.goto(`${service.origin}/exports`)
  await joining.getByRole('button', { name: 'Actions for Orders' }).click()
  await expect(joining.getByRole('menuitem', { name: 'Delete' })).toHaveAccessibleDescription(
    /Your role, analyst, lacks the scope 'batch_export:write'/,
  )
  await joining.goto(`${service.origin}/settings/members`)
  await expect(joining.getByRole('button', { name: 'Invite' })).toHaveAttribute('aria-disabled', 'true')

  await page.reload()
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
