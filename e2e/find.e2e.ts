import { expect } from '@playwright/test'
import { addFilter } from './add-filter.ts'
import { captureVisits } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test } from './journey.ts'

test('saves a view, updates, opens, renames and deletes it with undo', async ({ page, service, tenant }) => {
  await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60, seconds: 120, errors: ['Voucher 17 refused'], path: '/cart' },
    { visitor: 'ben', minutesAgo: 50 },
  ])
  await signIn(page, service, tenant.api_key, '/recordings')
  await page.getByRole('button', { name: /^Errors/ }).click()
  await expect(rowWith(page, 'ben')).toBeHidden()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('With errors')
  await page.getByLabel('For everyone in this project').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const view = page.getByRole('list', { name: 'Saved views' }).getByRole('link')
  await expect(view).toHaveText('With errors')
  await expect(view).toHaveAttribute('aria-current', 'page')

  await page.getByRole('button', { name: /^Unwatched/ }).click()
  await page.getByRole('button', { name: 'Update “With errors”' }).click()
  await expect(page.getByText('Updated the view With errors.')).toBeVisible()
  await page.getByRole('link', { name: 'Recordings', exact: true }).click()
  await expect(rowWith(page, 'ben')).toBeVisible()

  await view.click()
  await expect(page.getByRole('button', { name: /^Unwatched/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(rowWith(page, 'ben')).toBeHidden()
  const choose = async (label: string) => {
    await page.getByRole('button', { name: 'Actions for the view With errors' }).click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  await choose('Rename or share…')
  await page.getByLabel('Name').fill('Broken checkouts')
  await page.getByLabel('For everyone in this project').uncheck()
  await page.keyboard.press('Enter')
  await expect(view).toHaveText('Broken checkouts')

  await page.getByRole('link', { name: 'Errors', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Errors' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('broken che')
  await page.getByRole('option', { name: /Broken checkouts/ }).click()
  await expect(view).toHaveAttribute('aria-current', 'page')
  await expect(rowWith(page, 'ben')).toBeHidden()

  await page.getByRole('button', { name: 'Actions for the view Broken checkouts' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(view).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(view).toHaveText('Broken checkouts')
})

test('shows a collection as a filter that survives a reload and can be removed', async ({
  page,
  service,
  tenant,
}) => {
  const [ada] = await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60 },
    { visitor: 'ben', minutesAgo: 50 },
  ])
  const api = `${service.origin}/api/projects/${tenant.project_id}/session_recording_playlists/`
  const headers = { authorization: `Bearer ${tenant.api_key}` }
  const created = await page.request.post(api, { headers, data: { name: 'Checkout' } })
  const { id } = (await created.json()) as { id: string }
  await page.request.post(`${api}${id}/recordings/`, { headers, data: { ids: [ada] } })
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(rowWith(page, 'ben')).toBeVisible()
  await addFilter(page, 'Collection', 'Unknown')
  await expect(page.getByText('No collection found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await addFilter(page, 'Collection', 'Check')
  await expect(rowWith(page, 'ben')).toBeHidden()
  await page.reload()
  const chip = page.getByRole('button', { name: 'Remove the filter “In collection: Checkout”' })
  await expect(chip).toBeVisible()
  await expect(rowWith(page, 'ada')).toBeVisible()
  await expect(rowWith(page, 'ben')).toBeHidden()
  await chip.click()
  await expect(rowWith(page, 'ben')).toBeVisible()
})

test('a letter right before a click on a filter is not left for the next step', async ({
  page,
  service,
  tenant,
}) => {
  await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60 }])
  await signIn(page, service, tenant.api_key, '/recordings')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const field = page.getByRole('combobox', { name: 'Filter by' })
  await expect(field).toBeFocused()
  await page.getByRole('option', { name: /^Outcome/ }).evaluate((option: HTMLElement) => {
    document.execCommand('insertText', false, 'o')
    option.focus()
    option.click()
  })
  await expect(field).toBeHidden()
  await expect(page.getByRole('listbox').locator('..').getByRole('combobox')).toHaveValue('')
})

test('text pasted from a ticket finds the recordings that it names, and says which filter hides all', async ({
  page,
  service,
  tenant,
}) => {
  await captureVisits(service, tenant, [
    { visitor: 'ada', minutesAgo: 60, path: '/cart' },
    { visitor: 'ben', minutesAgo: 50, path: '/help' },
    { visitor: 'cleo', minutesAgo: 40 },
  ])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(rowWith(page, 'cleo')).toBeVisible()
  const ticket = 'Hi,\nada@shop.example cannot pay.\nSee https://shop.example/help.'
  await page.evaluate((text) => navigator.clipboard.writeText(text), ticket)
  await page.getByRole('searchbox').press('Control+v')
  await expect(page.getByText('Found 1 e-mail address and 1 URL in the text')).toBeVisible()
  await expect(rowWith(page, 'ada')).toBeVisible()
  await expect(rowWith(page, 'ben')).toBeVisible()
  await expect(rowWith(page, 'cleo')).toBeHidden()

  await page.getByRole('button', { name: /^Long/ }).click()
  await expect(page.getByText('No recordings match the filters')).toBeVisible()
  await page.getByRole('button', { name: 'Without “Long”: 2 recordings' }).click()
  await expect(rowWith(page, 'ada')).toBeVisible()
})

test('the dialog of filters has equal margins in a narrow window', async ({ page, service, tenant }) => {
  await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60 }])
  await page.setViewportSize({ width: 375, height: 800 })
  await signIn(page, service, tenant.api_key, '/recordings')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a filter' })
  await expect(dialog.getByRole('option').first()).toBeVisible()
  expect(await dialog.boundingBox()).toMatchObject({ x: 16, width: 343 })
})
