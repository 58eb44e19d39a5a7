import { expect, type Page } from '@playwright/test'
import { createExport, expectAccessible, rowWith, signIn, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

test('filters, sorts and groups the exports of the whole organization', async ({ page, service, tenant }) => {
  await createMixedExports(service, tenant)
  await signIn(page, service, tenant.api_key, '/exports?sort=name')
  await expectShown(page, 'Orders', 'People', 'Returns')
  await choose(page, 'In', 'organization')
  await expectShown(page, 'Berlin orders', 'Orders', 'People', 'Returns')
  await expect(rowWith(page, 'Berlin orders')).toContainText('Shop in Berlin')
  await expect(rowWith(page, 'People')).toContainText('My project')

  for (const [filter, choice, ...matching] of [
    ['State', 'paused', 'Returns'],
    ['Destination', 'S3', 'People'],
    ['Model', 'persons', 'People'],
    ['Interval', 'weekly', 'Berlin orders'],
  ] as const) {
    await choose(page, filter, choice)
    await expectShown(page, ...matching)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expectShown(page, 'Berlin orders', 'Orders', 'People', 'Returns')
  }
  await page.getByLabel('Filter exports').fill('orders berlin')
  await expectShown(page, 'Berlin orders')
  await page.getByLabel('Filter exports').fill('')

  const sortBy = (name: string) => page.getByRole('columnheader').getByRole('button', { name }).click()
  for (const name of ['State', 'Last 48 windows', 'Rows, 24 h', 'Next run', 'Destination', 'Name']) {
    await sortBy(name)
    await expect(page.getByRole('columnheader', { name })).toHaveAttribute('aria-sort', /^(a|de)scending$/)
  }
  await expectShown(page, 'Berlin orders', 'Orders', 'People', 'Returns')
  await sortBy('Name')
  await expectShown(page, 'Returns', 'People', 'Orders', 'Berlin orders')
  await sortBy('Destination')
  await expectShown(page, 'Berlin orders', 'Orders', 'Returns', 'People')

  await choose(page, 'Group', 'destination')
  const groups = page.getByRole('rowheader')
  await expect(groups).toHaveText([/service’s disk 3 exports/, /^s3:\/\/lake-\d+ 1 export$/])
  await choose(page, 'Group', 'state')
  await expect(groups).toHaveText(['waiting 3 exports', 'paused 1 export'])
  await expectAccessible(page)
})

for (const next of ['leave and clear', 'clear'] as const)
  test(`a text typed just before all filters are cleared does not come back: ${next}`, async ({
    page,
    service,
    tenant,
  }) => {
    await createMixedExports(service, tenant)
    await signIn(page, service, tenant.api_key, '/exports?sort=name')
    await choose(page, 'State', 'paused')
    await expectShown(page, 'Returns')
    await typeThen(page, next)
    await expectCleared(page)
  })

test('a text typed just before Back does not come back', async ({ page, service, tenant }) => {
  await createMixedExports(service, tenant)
  await signIn(page, service, tenant.api_key, '/exports?sort=name')
  await expectShown(page, 'Orders', 'People', 'Returns')
  await page.evaluate(() => history.pushState(history.state, '', '/exports?sort=name&q=people'))
  await expectShown(page, 'People')
  await typeThen(page, 'back')
  await expectCleared(page)
})

test('a long name leaves its strip room for all windows', async ({ page, service, tenant }) => {
  await createExport(service, tenant, { name: `${'Quarterly revenue '.repeat(10)}hand-over` })
  await signIn(page, service, tenant.api_key, '/exports')
  const strip = page.getByRole('img', { name: /^Last 48 windows/ })
  // Cells are 4 px wide and 1 px apart.
  const widthOf = async () => (await strip.boundingBox())?.width
  await expect.poll(widthOf).toBe(48 * 5 - 1)
  await page.setViewportSize({ width: 375, height: 700 })
  await expect.poll(widthOf).toBe(16 * 5 - 1)
  const time = String.raw`(\d\d:\d\d|\d+ [A-Z][a-z]{2})`
  await expect(rowWith(page, 'Quarterly revenue')).toHaveText(new RegExp(`${time}\\s*${time}$`, 'm'), {
    useInnerText: true,
  })
})

test('on a phone, the filters fade where they continue', async ({ page, service, tenant }) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await createExport(service, tenant, { name: 'Orders', owner: 'Ada' })
  await signIn(page, service, tenant.api_key, '/exports')
  const chips = page.getByRole('combobox', { name: 'State', exact: true }).locator('xpath=ancestor::div[1]')
  // The last filter appears with the exports.
  await expect(page.getByRole('combobox', { name: 'Owner', exact: true })).toBeVisible()
  await expect(chips).toHaveCSS('--fade-left', '0px')
  await expect(chips).toHaveCSS('--fade-right', '32px')
  await chips.evaluate((element) => element.scrollTo(element.scrollWidth, 0))
  await expect(chips).toHaveCSS('--fade-left', '32px')
  await expect(chips).toHaveCSS('--fade-right', '0px')
})

test('a long choice keeps its filter small and its list inside the window', async ({
  page,
  service,
  tenant,
}) => {
  await page.setViewportSize({ width: 375, height: 700 })
  const owner = 'Accounting '.repeat(18).trim()
  await createExport(service, tenant, { name: 'Orders', owner })
  await signIn(page, service, tenant.api_key, '/exports')
  const select = page.getByRole('combobox', { name: 'Owner', exact: true })
  await select.focus()
  await page.keyboard.press('Space')
  const option = page.getByRole('option', { name: owner })
  const { x, width } = (await option.boundingBox()) ?? { x: -1, width: 0 }
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(375)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(select).toHaveValue(owner)
  expect((await select.boundingBox())?.width).toBeLessThanOrEqual(192)
  // The value ends before the icon, with an ellipsis, instead of being cut off.
  expect(await select.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
})

/** Creates three different exports in the first project and one in a second; none runs during the test. */
async function createMixedExports(service: RunningService, tenant: Tenant): Promise<void> {
  const folder = (path: string) => ({ type: 'File', config: { path } })
  await createExport(service, tenant, { name: 'Orders', interval: 'day', destination: folder('orders') })
  await createExport(service, tenant, {
    name: 'Returns',
    interval: 'day',
    paused: true,
    destination: folder('returns'),
  })
  const config = {
    bucket_name: `lake-${tenant.project_id}`,
    region: 'us-east-1',
    aws_access_key_id: 'key',
    aws_secret_access_key: 'key',
  }
  await createExport(service, tenant, {
    name: 'People',
    model: 'persons',
    interval: 'day',
    destination: { type: 'S3', config },
  })
  const inOrganization = ['--organization', tenant.organization_id, '--name', 'Shop in Berlin']
  const berlin = await service.admin<Pick<Tenant, 'project_id'>>('project', 'create', ...inOrganization)
  await createExport(
    service,
    { ...tenant, ...berlin },
    { name: 'Berlin orders', interval: 'week', destination: folder('berlin') },
  )
}

/** Types a text in the focused field and uses something else, within one frame. */
async function typeThen(page: Page, next: 'leave and clear' | 'clear' | 'back'): Promise<void> {
  const clear = await page.getByRole('button', { name: 'Clear', exact: true }).elementHandle()
  const field = page.getByLabel('Filter exports')
  await field.focus()
  await field.evaluate(
    async (input: HTMLElement, { button, use }) => {
      document.execCommand('insertText', false, 'nothing')
      if (use === 'leave and clear') input.blur()
      if (use === 'back') history.back()
      else if (button instanceof HTMLElement) button.click()
      // A text is searched for after the paint of its last letter.
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    },
    { button: clear, use: next },
  )
}

/** Expects all exports and an empty field. */
async function expectCleared(page: Page): Promise<void> {
  await expectShown(page, 'Orders', 'People', 'Returns')
  await expect(page.getByLabel('Filter exports')).toHaveValue('')
}

async function choose(page: Page, filter: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: filter, exact: true }).selectOption(choice)
}

/** Expects exactly these exports on the page, in this order. */
async function expectShown(page: Page, ...shown: string[]): Promise<void> {
  await expect(page.getByRole('row').getByRole('link')).toHaveText(shown)
}
