import { expect, type Page } from '@playwright/test'

/** Adds a filter with the keyboard: its kind, then the value. */
export async function addFilter(page: Page, kind: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Filter by' })).toBeFocused()
  await page.keyboard.type(kind)
  await page.keyboard.press('Enter')
  await page.keyboard.type(value)
  await page.keyboard.press('Enter')
}
