import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { captureVisits, emailOf } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test } from './journey.ts'

test('a row leads to its person, and the person’s page to the other recordings, events and exports', async ({
  page,
  service,
  tenant,
}) => {
  const day = 24 * 60
  const ada = emailOf('ada')
  const [older] = await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 2 * day, seconds: 60, errors: ['Voucher refused'] },
    { visitor: 'ben', minutesAgo: 90 },
    { visitor: 'ada', minutesAgo: 60, seconds: 40 },
  ])
  await fetch(`${service.origin}/e/`, {
    method: 'POST',
    body: JSON.stringify({
      api_key: tenant.project_token,
      event: 'voucher redeemed',
      distinct_id: ada,
      timestamp: new Date(Date.now() - 2 * day * 60_000 + 30_000).toISOString(),
      uuid: randomUUID(),
      $set: { plan: 'pro' },
      properties: { $session_id: older, code: 'SPRING' },
    }),
  })
  await signIn(page, service, tenant.api_key, '/recordings')
  const row = rowWith(page, ada).first()
  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Open person' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ada)
  await expect(page.getByRole('table', { name: 'Recordings' }).getByRole('row')).toHaveCount(3)
  await expect(rowWith(page, emailOf('ben'))).toHaveCount(0)
  const days = page.getByRole('group', { name: 'Days with recordings' }).getByRole('button')
  await expect(days).toHaveCount(2)
  await expectAccessible(page)
  await days.last().focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: 'Recordings' }).getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Show all days' }).click()

  await page.getByRole('link', { name: /^Events/ }).click()
  const events = page.getByRole('list', { name: 'Events, newest first' })
  await events.getByText('voucher redeemed').click()
  await expect(page.getByLabel('Properties', { exact: true })).toContainText('"code": "SPRING"')
  await expect(page.getByRole('link', { name: /^Watch from 0:[23]\d: voucher redeemed/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Properties/ }).click()
  await expect(rowWith(page, 'plan', 'pro')).toBeVisible()
  await page.getByRole('link', { name: 'Exports', exact: true }).click()
  await expect(page.getByText('No export contains this person’s data')).toBeVisible()

  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^Recordings/ })
    .click()
  await expect(page.getByRole('table', { name: 'Recordings' }).getByRole('row')).toHaveCount(3)
  for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
  await expect(page).toHaveURL(new RegExp(`/recordings/${older}`))
  await page.getByRole('heading', { level: 1 }).getByRole('link').click()
  await expect(page).toHaveURL(/\/persons\//)

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('ben@')
  await page
    .getByRole('group', { name: 'Persons' })
    .getByRole('option', { name: emailOf('ben') })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(emailOf('ben'))
})
