import { expect } from '@playwright/test'
import { captureVisits, emailOf } from './captured-visits.ts'
import {
  backfillHours,
  createExport,
  expectAccessible,
  hoursAgo,
  openSettings,
  signIn,
  test,
} from './journey.ts'

test('a person is erased by name, and the certificate says which export still holds the person', async ({
  page,
  service,
  tenant,
}) => {
  const ada = emailOf('ada')
  const [, ofBen] = await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60 },
    { visitor: 'ben', minutesAgo: 50 },
  ])
  const event = { event: 'order placed', distinct_id: ada, timestamp: hoursAgo(2), $set: { plan: 'pro' } }
  const properties = { $session_id: ofBen }
  await fetch(`${service.origin}/e/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: tenant.project_token, ...event, properties }),
  })
  const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  await backfillHours(service, tenant, id, { from: 3, to: 0 })
  await signIn(page, service, tenant.api_key, `/exports/${id}`)
  await expect(page.getByRole('row').filter({ hasText: 'Completed' })).toHaveCount(3, { timeout: 30_000 })

  await page.goto(`${service.origin}/persons/${encodeURIComponent(ada)}`)
  await page.getByRole('button', { name: 'Erase person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase this person?' })
  const confirm = dialog.getByRole('button', { name: 'Erase person' })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await expect(dialog.getByText('Of these recordings, 1 also shows other persons.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Also delete the 1 recording' }).uncheck()
  await expect(dialog.getByText('A recording that stays still shows this person.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox').fill(ada)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Certificate of erasure' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('link', { name: 'Orders' })).toBeVisible()
  await expect(page.getByText('may hold the person')).toBeVisible()
  await expect(page.getByText('1 recording that began as another person’s was kept')).toBeVisible()
  await expect(page.getByText(ada)).toHaveCount(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 375, height: 700 })
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download signed JSON' }).click()
  expect((await download).suggestedFilename()).toMatch(/^erasure-.*\.json$/)
  await page.getByRole('button', { name: 'Export again' }).click()
  await expect(page.getByText('may hold the person')).toBeHidden({ timeout: 30_000 })
  await page.getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByRole('table', { name: 'Erased persons' }).getByRole('row')).toHaveCount(2)
})

test('the page of privacy saves rules, shows what limits would remove, and refuses a wrong selector', async ({
  page,
  service,
  tenant,
}) => {
  await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60 }])
  await signIn(page, service, tenant.api_key, '/recordings')
  await openSettings(page)
  await page.getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByText('Nobody was erased')).toBeVisible()
  await expect(
    page.getByText('will not be full within ten years').or(page.getByText('it is full on')),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('IP addresses', { exact: true }).selectOption('Drop')
  const emails = page.getByRole('checkbox', { name: 'E-mail addresses' })
  await emails.click()
  await expect(emails).toBeChecked()
  const patterns = page.getByLabel('Mask your own patterns')
  await patterns.fill('EMP-\\d+')
  await expect(page.getByText('Limit each repetition')).toBeVisible()
  await patterns.fill('EMP-\\d{4,6}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByLabel('Try a text').fill('EMP-1234 wrote to ada@example.com')
  await expect(page.getByText('******** wrote to [email]')).toBeVisible()
  await page.getByRole('switch', { name: 'Mask all inputs' }).click()
  const emailFields = page.getByRole('checkbox', { name: 'email', exact: true })
  await emailFields.click()
  await expect(emailFields).toBeChecked()
  const selectors = page.getByLabel('Mask the texts of')
  await selectors.fill('.name\na:hover')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Use only tags, classes, ids')).toBeVisible()
  await selectors.fill('.name')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // The first notice can still be there.
  await expect(page.getByText('Saved. Applies within a minute').last()).toBeVisible()
  const days = page.getByLabel('Events: days')
  await days.fill('0')
  await expect(page.getByText('Keep at least 1 days.')).toBeVisible()
  await days.fill('30')
  await expect(page.getByRole('table', { name: 'With these limits' })).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 375, height: 700 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByText('Next sweep:')).toBeVisible()
  await page.reload()
  await expect(days).toHaveValue('30')
  const config = await (await fetch(`${service.origin}/array/${tenant.project_token}/config`)).json()
  expect(config).toMatchObject({
    sessionRecording: {
      masking: { maskAllInputs: false, maskTextSelector: '.name', blockSelector: 'input[type="email"]' },
    },
  })
})
