import { expect, type Page } from '@playwright/test'
import { captureVisits } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

/** Captures visits with the same kind of error, and one with another. */
async function openErrors(
  page: Page,
  service: RunningService,
  tenant: Tenant,
  length: number,
): Promise<void> {
  const visits = Array.from({ length }, (_, index) => ({
    visitor: `visitor-${index}`,
    minutesAgo: 90 - index,
    errors: [`Voucher ${index} refused`],
  }))
  await captureVisits(service, tenant, [
    ...visits,
    { visitor: 'ada', minutesAgo: 60, errors: ['No stock'], path: '/cart' },
  ])
  await signIn(page, service, tenant.api_key, '/recordings/errors')
  await expect(rowWith(page, 'Voucher … refused')).toBeVisible()
}

test(
  'nine replays of a kind of error are scrubbed together',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await openErrors(page, service, tenant, 11)
    await page.getByRole('button', { name: 'Show Voucher … refused' }).click()
    const sheet = page.getByRole('dialog', { name: 'Voucher … refused' })
    const pictures = sheet.locator('iframe:not(.opacity-0)')
    await expect(pictures).toHaveCount(9)

    const slider = sheet.getByRole('slider', { name: 'Moment' })
    await slider.press('ArrowLeft')
    await expect(slider).toHaveAttribute('aria-valuetext', '0.5 s before')
    await expect(sheet.getByText('The page at 0:26')).toHaveCount(9)
    await slider.press('Home')
    await expect(slider).toHaveAttribute('aria-valuetext', '5 s before')
    await expect(pictures).toHaveCount(9)
    await expect(sheet.getByRole('row')).toHaveCount(12)
    await page.setViewportSize({ width: 375, height: 800 })
    await expect(sheet.locator('iframe')).toHaveCount(4)
    await expectAccessible(page)
    await page.reload()
    await expect(sheet.getByRole('slider')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(page.locator('iframe')).toHaveCount(0)
  },
)

test('an error is assigned to the user, found with the filter Mine, resolved and undone', async ({
  page,
  service,
  tenant,
}) => {
  await openErrors(page, service, tenant, 2)
  const voucher = rowWith(page, 'Voucher … refused')
  const assignee = voucher.getByRole('button', { name: /^(Assigned to|Unassigned)/ })
  const mine = page.getByRole('button', { name: /^Mine/ })
  await mine.click()
  await expect(page.getByText('No open errors are assigned to you')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show all open errors' }).click()

  await expect(assignee).toHaveText('Unassigned')
  await assignee.press('Enter')
  const field = page.getByRole('combobox', { name: 'Assign to' })
  await expect(page.getByRole('listbox', { name: 'Members' }).getByRole('option')).toHaveCount(2)
  await expectAccessible(page)
  await field.fill('zzz')
  await expect(page.getByText('No member matches.')).toBeVisible()
  await field.fill('me')
  await field.press('Enter')
  await expect(page.getByText('“Voucher … refused” assigned to')).toBeVisible()
  await expect(assignee).not.toHaveText('Unassigned')
  await expect(assignee).toBeFocused()
  await expect(mine).toHaveText('Mine 1')

  await mine.click()
  await expect(rowWith(page, 'No stock')).toHaveCount(0)
  await page.reload()
  await expect(voucher).toBeVisible()
  await expect(page).toHaveURL(/assignee=me/)
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await expect(page.getByText('No open errors are assigned to you')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(voucher).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  await expect(voucher.getByText('Assigned to')).toBeAttached()
  await expectAccessible(page)

  await page.getByRole('checkbox', { name: 'Select all' }).press('Space')
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Assign Voucher … refused' })
  await expectAccessible(page)
  await expect(dialog.getByRole('option')).toHaveCount(2)
  await expect(dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No open errors are assigned to you')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(voucher).toBeVisible()
})

test('by keyboard alone: errors are resolved, ignored and undone', async ({ page, service, tenant }) => {
  await openErrors(page, service, tenant, 2)
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await expect(rowWith(page, 'Voucher … refused')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(rowWith(page, 'Voucher … refused')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select all' }).press('Space')
  await page.keyboard.press('i')
  await expect(page.getByText('No open errors')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'ignored 2' }).press('Enter')
  await expect(rowWith(page, 'No stock')).toBeVisible()
  await expect(page).toHaveURL(/state=ignored/)
})
