import { expect } from '@playwright/test'
import { createExport, signIn, test } from './journey.ts'
import { expectPaused, names, openList } from './orders-list.ts'

test('dragging over checkboxes selects rows, and deselects them on the way back', async ({
  page,
  service,
  tenant,
}) => {
  await openList(page, service, tenant)
  const selection = page.getByRole('region', { name: 'Selected exports' })
  const drag = async (...over: string[]) => {
    await page.getByLabel(`Select ${over[0]}`).hover()
    await page.mouse.down()
    for (const name of over.slice(1)) await page.getByLabel(`Select ${name}`).hover()
  }
  await page.getByLabel('Select Orders 04').click()
  await drag('Orders 01', 'Orders 06', 'Orders 02')
  await expect(selection).toContainText('3 selected')
  await page.getByLabel('Select Orders 01').hover()
  await page.mouse.up()
  await expect(selection).toContainText('2 selected')
  await expect(page.getByLabel('Select Orders 01')).toBeChecked()

  // A press elsewhere is no drag.
  await page.getByRole('heading', { name: 'Batch exports' }).hover()
  await page.mouse.down()
  await page.getByLabel('Select Orders 08').hover()
  await page.mouse.up()
  await expect(selection).toContainText('2 selected')
  await page.getByLabel('Select Orders 01').press('Space')
  await expect(selection).toContainText('1 selected')
})

test('an action used right after "select all" acts once, on all rows', async ({ page, service, tenant }) => {
  await openList(page, service, tenant)
  await page.getByLabel('Select Orders 01').click()
  const selection = page.getByRole('region', { name: 'Selected exports' })
  const pause = await selection.getByRole('button', { name: 'Pause', exact: true }).elementHandle()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  await page.getByLabel('Select all shown').evaluate(async (box: HTMLElement, button) => {
    for (const element of [box, button, button]) {
      if (element instanceof HTMLElement) element.click()
      // Runs React's urgent renders, but not its deferred ones.
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    }
  }, pause)
  await expect(page.getByText('Paused 14 exports.')).toBeVisible()
  expect(sent).toHaveLength(1)
  await expectPaused(page, names)
})

test('selects all exports, including those not rendered yet', async ({ page, service, tenant }) => {
  for (const name of names) await createExport(service, tenant, { name })
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const all = document.querySelector<HTMLElement>('thead input[type=checkbox]')
      if (!all) return
      observer.disconnect()
      document.documentElement.dataset['rowsWhenClicked'] = String(
        document.querySelectorAll('tbody tr').length,
      )
      all.click()
    }).observe(document, { childList: true, subtree: true })
  })
  await signIn(page, service, tenant.api_key)
  await expect(page.getByRole('region', { name: 'Selected exports' })).toContainText('14 selected')
  await expect(page.locator('html')).toHaveAttribute('data-rows-when-clicked', '0')
})
