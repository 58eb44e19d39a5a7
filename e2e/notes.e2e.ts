import { expect } from '@playwright/test'
import { captureVisits, emailOf } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test } from './journey.ts'

test('a note at a moment takes two actions; it is edited, searched, deleted, and the deletion undone', async ({
  page,
  service,
  tenant,
}) => {
  await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60, seconds: 120, clicks: 2, errors: ['Voucher refused'] },
  ])
  await signIn(page, service, tenant.api_key, '/recordings')
  await page.getByRole('link', { name: emailOf('ada') }).click()
  const slider = page.getByRole('slider', { name: 'Playback position' })
  await expect(page.getByRole('region', { name: 'Recording' })).toBeVisible()

  // First action: the key. Second action: the text with ⌘Enter.
  await page.keyboard.press('c')
  await page.keyboard.type('The voucher is refused')
  await page.keyboard.press('ControlOrMeta+Enter')
  const marker = page.getByRole('button', { name: /^Note of .+: The voucher is refused$/ })
  await expect(marker).toBeVisible()

  await page.getByRole('link', { name: /^Notes/ }).click()
  await expect(page.getByRole('link', { name: /^Notes/ })).toHaveText('Notes1')
  const notes = page.getByRole('list', { name: 'Notes' }).getByRole('listitem')
  await expect(notes).toHaveText([/The voucher is refused/])
  await marker.focus()
  await expect(page.getByText(/✎ .+: The voucher is refused/)).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('c')
  await page.keyboard.type('Draft')
  await page.keyboard.press('Escape')
  await slider.press('c')
  await expect(page.getByRole('textbox', { name: /^Note at/ })).toHaveValue('Draft')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  const act = async (action: string) => {
    await notes.getByRole('button', { name: /^Actions on the note/ }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('Edit')
  await page.getByRole('textbox', { name: 'Text' }).fill('The voucher has expired')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(notes).toHaveText([/edited.*The voucher has expired/s])
  await page.getByLabel('Search in notes').fill('refund')
  await expect(page.getByText('No note matches')).toBeVisible()
  await page.getByLabel('Search in notes').fill('EXPIRED')
  await expect(notes).toHaveCount(1)

  await act('Delete')
  await page.getByRole('button', { name: /Undo/ }).click()
  await page.reload()
  await expect(notes).toHaveText([/The voucher has expired/])
})

test('recordings are collected by hand or rule', { tag: '@slow' }, async ({ page, service, tenant }) => {
  await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60, seconds: 120, clicks: 2, errors: ['Voucher refused'] },
    { visitor: 'ben', minutesAgo: 50, seconds: 20, clicks: 12 },
  ])
  await signIn(page, service, tenant.api_key, '/recordings/collections')
  await expect(page.getByText('No collections yet')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`${service.origin}/recordings`)
  await rowWith(page, emailOf('ben')).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Add to collection' }).click()
  await page.getByLabel('Name').fill('Fast clicks')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('Added to “Fast clicks”.')).toBeVisible()

  await page.goto(`${service.origin}/recordings?search=${emailOf('ada')}`)
  await page.getByRole('button', { name: 'Save as collection' }).click()
  await page.getByLabel('Name').fill('Recordings of Ada')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Recordings of Ada' })).toBeVisible()
  await expect(rowWith(page, emailOf('ada'))).toBeVisible()
  await expect(rowWith(page, emailOf('ben'))).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Collections' }).first().click()
  await expect(rowWith(page, 'Recordings of Ada')).toContainText('by a rule')
  await rowWith(page, 'Fast clicks').getByRole('link').click()
  await expect(rowWith(page, emailOf('ben'))).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Fast clicks' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: /Undo/ }).click()
  await page.reload()
  await expect(rowWith(page, 'Fast clicks')).toBeVisible()
})
