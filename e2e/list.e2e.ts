import { rm } from 'node:fs/promises'
import { expect } from '@playwright/test'
import {
  createExport,
  createFailingExport,
  expectAccessible,
  exportNames,
  holdUndo,
  hoursAgo,
  openAccountMenu,
  rowWith,
  signIn,
  test,
} from './journey.ts'
import { expectPaused, names, openList } from './orders-list.ts'

test(
  'pauses twelve exports at once, and unpauses one of them',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await openList(page, service, tenant)
    await page.getByLabel('Select Orders 03').dragTo(page.getByLabel('Select Orders 12'))
    const selection = page.getByRole('region', { name: 'Selected exports' })
    await expect(selection).toContainText('10 selected')
    await page.getByLabel('Select Orders 01').click()
    await page.getByLabel('Select Orders 12').click({ modifiers: ['Shift'] })
    await expect(selection).toContainText('12 selected')
    await expect(selection.getByRole('button', { name: /^Unpause/ })).toHaveCount(0)
    await selection.getByRole('button', { name: 'More actions' }).click()
    await expect(page.getByRole('menuitem', { name: /^Unpause None of these is paused/ })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await selection.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(page.getByText('Paused 12 exports.')).toBeVisible()
    await expectPaused(page, names.slice(0, 12))
    await expect(selection.getByRole('button', { name: 'Unpause', exact: true })).toBeVisible()
    await expect(selection.getByRole('button', { name: 'Pause', exact: true })).toHaveCount(0)

    await rowWith(page, 'Orders 05').getByRole('switch').click()
    await expect(page.getByText('Unpaused Orders 05.')).toBeVisible()
    // Of a mixed selection, the bar offers the pause; its menu unpauses.
    await expect(selection.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    await expect(selection.getByRole('button', { name: /^Unpause/ })).toHaveCount(0)
    await selection.getByRole('button', { name: 'More actions' }).click()
    for (const name of ['Unpause', 'Unpause and fill the gap'])
      await expect(page.getByRole('menuitem', { name, exact: true })).toBeEnabled()
    await page.keyboard.press('Escape')
    await page.reload()
    await expectPaused(
      page,
      names.slice(0, 12).filter((name) => name !== 'Orders 05'),
    )
  },
)

test('by keyboard alone: pauses twelve exports at once, unpauses one of them, and undoes that', async ({
  page,
  service,
  tenant,
}) => {
  await openList(page, service, tenant)
  await page.keyboard.press('j')
  await expect(rowWith(page, 'Orders 01')).toBeFocused()
  await page.keyboard.press('x')
  for (let step = 0; step < 11; step += 1) await page.keyboard.press('Shift+ArrowDown')
  const selection = page.getByRole('region', { name: 'Selected exports' })
  await expect(selection).toContainText('12 selected')
  await page.keyboard.press('p')
  await expect(page.getByText('Paused 12 exports.')).toBeVisible()
  await expectPaused(page, names.slice(0, 12))
  await page.keyboard.press('Escape')
  await expect(selection).toHaveCount(0)
  await page.keyboard.press('k')
  await expect(rowWith(page, 'Orders 11')).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByText('Unpaused Orders 11.')).toBeVisible()
  await expectPaused(
    page,
    names.slice(0, 12).filter((name) => name !== 'Orders 11'),
  )
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Paused Orders 11.')).toBeVisible()
  await expectPaused(page, names.slice(0, 12))
})

test('an open select or menu keeps its keys from the selected rows', async ({ page, service, tenant }) => {
  await openList(page, service, tenant)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  const selection = page.getByRole('region', { name: 'Selected exports' })
  await expect(selection).toContainText('2 selected')
  const select = page.getByRole('combobox', { name: 'Interval', exact: true })
  await select.focus()
  await page.keyboard.press('Space')
  for (const key of ['ArrowDown', 'x', 'p', 'd', 'Escape', 'p']) await page.keyboard.press(key)
  await expect(select).toBeFocused()
  await expect(select).toHaveValue('any')
  const signOut = (await openAccountMenu(page)).getByRole('menuitem', { name: 'Sign out' })
  await expect(signOut).toBeVisible()
  for (const key of ['p', 'd', 'Escape']) await page.keyboard.press(key)
  await expect(signOut).toBeHidden()
  await openAccountMenu(page)
  await signOut.focus()
  for (const key of ['p', 'd', 'Escape']) await page.keyboard.press(key)
  await expect(signOut).toBeHidden()
  await expect(selection).toContainText('2 selected')
  await expectPaused(page, [])
  await expect(rowWith(page, 'about to be deleted')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(selection).toHaveCount(0)
})

test('undoes a deletion; another is cancelled by leaving the page', async ({ page, service, tenant }) => {
  await page.clock.install()
  await openList(page, service, tenant)
  const openMenu = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await expect(page.getByRole('menu')).toBeVisible()
  }
  const chooseDelete = async (name: string) => {
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByText(`Deleting ${name}`)).toBeVisible()
  }
  await openMenu('Orders 03')
  await holdUndo(page, () => chooseDelete('Orders 03'))
  await expect(rowWith(page, 'Orders 03')).toContainText('about to be deleted')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowWith(page, 'Orders 03')).not.toContainText('about to be deleted')
  await page.reload()
  await expect(rowWith(page, 'Orders 03')).toBeVisible()

  await openMenu('Orders 04')
  await chooseDelete('Orders 04')
  await page.goto('about:blank')
  expect(await exportNames(service, tenant)).toHaveLength(names.length)
})

for (const exit of ['closed', 'left'] as const)
  test(`thirty deletions are all performed although the page is ${exit}`, async ({
    page,
    service,
    tenant,
  }) => {
    for (let number = 0; number < 30; number += 1)
      await createExport(service, tenant, { name: `Trial ${number}` })
    await createExport(service, tenant, { name: 'Orders' })
    await signIn(page, service, tenant.api_key, '/exports?q=trial')
    await expect(rowWith(page, 'Trial').first()).toBeVisible()
    await page.getByLabel('Select all shown').click()
    const selection = page.getByRole('region', { name: 'Selected exports' })
    await expect(selection).toContainText('30 selected')
    await selection.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('region', { name: 'Bulk actions' })).toContainText('30 exports')
    if (exit === 'closed') await page.close({ runBeforeUnload: true })
    else await page.goto('about:blank')
    await expect.poll(() => exportNames(service, tenant)).toEqual(['Orders'])
  })

test('an empty list and a filter without matches say what to do', async ({ page, service, tenant }) => {
  await signIn(page, service, tenant.api_key)
  await expect(page.getByText('No batch exports yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New export' }).first().click()
  await expect(page.getByRole('heading', { name: 'New export' })).toBeVisible()

  await createExport(service, tenant, { name: 'Orders' })
  await page.goto(`${service.origin}/exports`)
  await expect(rowWith(page, 'Orders')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('invoices')
  await expect(page.getByText('No exports match the filters')).toBeVisible()
  await expect(page).toHaveURL(/q=invoices/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rowWith(page, 'Orders')).toBeVisible()
})

test('retries the failed windows of two exports from the list, and leaves a healthy one unchanged', async ({
  page,
  service,
  tenant,
}) => {
  const failing = [
    await createFailingExport(service, tenant, 'Hand-over'),
    await createFailingExport(service, tenant, 'Orders'),
  ]
  await createExport(service, tenant, { name: 'Healthy', end_at: hoursAgo(0) })
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'failing')).toHaveCount(2, { timeout: 30_000 })
  for (const { inTheWay } of failing) await rm(inTheWay)
  await page.getByLabel('Select all shown').click()
  const selection = page.getByRole('region', { name: 'Selected exports' })
  await selection.getByRole('button', { name: 'Retry failed' }).click()
  const result = page.getByRole('region', { name: 'Bulk actions' })
  await expect(result).toContainText('Retried the failed windows of 2 exports. 1 needed no change.')
  await expect(rowWith(page, 'about to be retried')).toHaveCount(0)
  await expect(rowWith(page, 'ended')).toHaveCount(3, { timeout: 30_000 })
})

test('by keyboard alone: performs an action from the palette on the selection', async ({
  page,
  service,
  tenant,
}) => {
  await openList(page, service, tenant)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused()
  await page.keyboard.type('pause')
  const option = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })
  await expect(option).toContainText('Pause or unpause')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Paused 2 exports.')).toBeVisible()
  await expectPaused(page, ['Orders 01', 'Orders 02'])
})

test(
  'text typed before the palette has loaded reaches the palette and triggers no action',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const release = Promise.withResolvers<void>()
    await page.route('**/palette-*.js', async (route) => {
      await release.promise
      await route.continue()
    })
    await openList(page, service, tenant)
    await page.keyboard.press('j')
    await expect(rowWith(page, 'Orders 01')).toBeFocused()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pauses')
    await page.keyboard.press('Backspace')
    const loaded = page.waitForResponse('**/palette-*.js')
    release.resolve()
    await loaded
    await page.keyboard.type(' or')
    const field = page.getByRole('combobox', { name: 'Find' })
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('pause or')
    await page.keyboard.press('Escape')
    await expectPaused(page, [])
    await expect(page).toHaveURL(/\/exports\?/)
  },
)
