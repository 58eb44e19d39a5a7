import { expect, type Page } from '@playwright/test'
import { beginPauseAt } from './begin-pause.ts'
import { captureVisits } from './captured-visits.ts'
import {
  createExport,
  expectAccessible,
  exportNames,
  holdUndo,
  hoursAgo,
  rowWith,
  send,
  signIn,
  tabTo,
  test,
  type Tenant,
} from './journey.ts'
import type { RunningService } from './service.ts'

const amount = 200
/** Exports created at the same time. */
const groupSize = 50

test(
  'pauses hundreds of exports despite a reload, shows the progress in a second tab, and undoes it there',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    // Together, they would wait for connections until the service refuses them.
    for (let first = 0; first < amount; first += groupSize)
      await Promise.all(
        Array.from({ length: groupSize }, (_, index) =>
          createExport(service, tenant, {
            name: `Orders ${first + index}`,
            destination: { type: 'File', config: { path: `orders-${first + index}` } },
          }),
        ),
      )
    await signIn(page, service, tenant.api_key)
    await page.getByLabel('Select all shown').click()
    const selection = page.getByRole('region', { name: 'Selected exports' })
    await expect(selection).toContainText(`${amount} selected`)
    await selection.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(bulkActions(page)).toContainText(`Pausing ${amount} exports`)
    await expect(selection.getByRole('progressbar', { name: /^Pausing/ })).toBeVisible()
    await page.reload()
    await expect(bulkActions(page)).toContainText(`Paused ${amount} exports.`, { timeout: 60_000 })
    expect(await pausedExports(service, tenant)).toBe(amount)

    const second = await context.newPage()
    await signIn(second, service, tenant.api_key, '/settings/keys')
    await bulkActions(second).getByRole('button', { name: 'Undo' }).click()
    await expect(bulkActions(second)).toContainText(`${amount} exports are running again.`, {
      timeout: 60_000,
    })
    expect(await pausedExports(service, tenant)).toBe(0)
    await expect(bulkActions(page)).toContainText('running again', { timeout: 30_000 })
    await expect(rowWith(page, 'Orders 199')).not.toContainText('paused')
  },
)

test('Cancel undoes a pause that has completed meanwhile, and the card says what holds', async ({
  page,
  service,
  tenant,
}) => {
  await openTwoExports(page, service, tenant)
  // The page learns nothing after the response to its request.
  const release = Promise.withResolvers<void>()
  await page.route('**/bulk_actions/', async (route) => {
    if (route.request().method() === 'GET') await release.promise
    await route.continue()
  })
  await pauseAll(page)
  await expect(bulkActions(page)).toContainText('0 of 2')
  await expect.poll(() => pausedExports(service, tenant)).toBe(2)
  await expect.poll(() => bulkStatuses(service, tenant)).toEqual(['Completed'])
  await bulkActions(page).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => bulkStatuses(service, tenant)).toEqual(['Undone'])
  release.resolve()
  await expect(bulkActions(page)).toContainText('2 exports are running again.')
  await expect(bulkActions(page)).not.toContainText('Undone')
  expect(await pausedExports(service, tenant)).toBe(0)
  for (const name of ['Orders', 'Returns'])
    await expect(rowWith(page, name).getByRole('switch')).toBeChecked()
})

test(
  'an action that another window has undone is not reported as a failure',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await openTwoExports(page, service, tenant)
    await pauseAll(page)
    await expect(bulkActions(page)).toContainText('Paused 2 exports.')
    const [action] = await bulkList(service, tenant)
    await send(service, tenant, `bulk_actions/${action?.id}/undo/`, {})
    await bulkActions(page).getByRole('button', { name: 'Undo' }).click()
    await expect(bulkActions(page)).toContainText('2 exports are running again.')
    await expect(page.getByText('could not be undone')).toBeHidden()
  },
)

test('one card shows the last action; a list has the others with their times, also after a reload', async ({
  page,
  service,
  tenant,
}) => {
  await openTwoExports(page, service, tenant)
  const undo = bulkActions(page).getByRole('button', { name: 'Undo' })
  await pauseAll(page)
  await expect(bulkActions(page)).toContainText('Paused 2 exports.')
  await expect(rowWith(page, 'Returns').getByRole('switch')).not.toBeChecked()
  await page.keyboard.press('p')
  await expect(bulkActions(page)).toContainText('Unpaused 2 exports.')
  await expect(undo).toHaveCount(1)
  await page.reload()
  await expect(bulkActions(page)).toContainText('Unpaused 2 exports.')
  await expect(undo).toHaveCount(1)

  await tabTo(page, bulkActions(page).getByRole('button', { name: '1 other action' }))
  await page.keyboard.press('Enter')
  const other = page.getByRole('dialog', { name: 'Other bulk actions' }).getByRole('listitem')
  await expect(other).toContainText('Paused 2 exports.')
  await expect(other.getByRole('time')).toHaveAttribute('title', /\d{4}/)
  await expectAccessible(page)
  await other.getByRole('button', { name: 'Undo' }).click()
  await expect(other).toContainText('2 exports could not be changed back.')
  await other.getByRole('button', { name: '2 not undone' }).click()
  await expect(page.getByRole('dialog', { name: '2 not undone' })).toContainText('changed again since')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: '2 not undone' })).toBeHidden()
  await expect(other).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(other).toBeHidden()

  // Hiding the last action brings back no earlier one.
  await bulkActions(page).getByRole('button', { name: 'Hide this result' }).first().click()
  await expect(bulkActions(page).getByRole('button', { name: '1 recent action' })).toBeVisible()
  await expect(bulkActions(page).getByText('Unpaused 2 exports.')).toBeHidden()
})

test(
  'marks and deletes all recordings that match, not only those loaded; the deletion is undone',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const visits = Array.from({ length: 130 }, (_, number) => ({
      visitor: `guest-${number}`,
      minutesAgo: number + 1,
    }))
    await captureVisits(service, tenant, visits)
    await signIn(page, service, tenant.api_key, '/recordings')
    await expect(page.getByText('130 recordings')).toBeVisible()
    await page.getByLabel('Select all shown').click()
    const selection = page.getByRole('region', { name: 'Selected recordings' })
    await selection.getByRole('button', { name: 'Select all 130 that match' }).click()
    await expect(selection).toContainText('All 130 selected')
    await selection.getByRole('button', { name: 'Delete' }).click()
    await expect(bulkActions(page)).toContainText('Deleted 130 recordings.', { timeout: 30_000 })
    await expect(page.getByText('No recordings yet')).toBeVisible()
    await bulkActions(page).getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('130 recordings', { exact: true })).toBeVisible({ timeout: 30_000 })
    await bulkActions(page).getByRole('button', { name: 'Hide this result' }).click()
    await expect(bulkActions(page)).toBeHidden()
  },
)

test(
  'unpauses exports and fills the gaps of their pauses',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const ids: string[] = []
    for (const name of ['Orders', 'Returns']) {
      const { id } = await createExport(service, tenant, { name })
      await send(service, tenant, `batch_exports/${id}/pause/`, {})
      await beginPauseAt(service, id, hoursAgo(3))
      ids.push(id)
    }
    await signIn(page, service, tenant.api_key)
    await page.getByLabel('Select all shown').click()
    await page.getByRole('button', { name: 'Unpause and fill the gap' }).click()
    await expect(bulkActions(page)).toContainText('Unpaused 2 exports.')
    await expect(page.getByRole('button', { name: 'Unpause and fill the gap' })).toBeHidden()
    for (const id of ids) {
      await page.goto(`${service.origin}/exports/${id}/backfills`)
      await expect(page.getByText('3 of 3')).toBeVisible({ timeout: 30_000 })
    }
  },
)

test('a reload or Back before a deletion begins cancels it', async ({ page, service, tenant }) => {
  await createExport(service, tenant, { name: 'Orders' })
  await page.clock.install()
  await signIn(page, service, tenant.api_key)
  await deleteOrders(page)
  await page.reload()
  await expect(rowWith(page, 'Orders')).toBeVisible()
  await page.clock.runFor(10_000)
  expect(await exportNames(service, tenant)).toEqual(['Orders'])

  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await holdUndo(page, () => deleteOrders(page))
  await page.goBack()
  await expect(page.getByText('Nothing was deleted')).toBeVisible()
  await page.clock.runFor(10_000)
  expect(await exportNames(service, tenant)).toEqual(['Orders'])
})

async function deleteOrders(page: Page): Promise<void> {
  // A key opens the menu at once; a click waits for a paint, for which the clock must run.
  await page.getByRole('button', { name: 'Actions for Orders' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Deleting Orders')).toBeVisible()
}

function bulkActions(page: Page) {
  return page.getByRole('region', { name: 'Bulk actions' })
}

async function openTwoExports(page: Page, service: RunningService, tenant: Tenant): Promise<void> {
  for (const name of ['Orders', 'Returns']) await createExport(service, tenant, { name })
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'Returns')).toBeVisible()
}

async function pauseAll(page: Page): Promise<void> {
  await page.getByLabel('Select all shown').click()
  const selection = page.getByRole('region', { name: 'Selected exports' })
  await selection.getByRole('button', { name: 'Pause', exact: true }).click()
}

async function pausedExports(service: RunningService, tenant: Tenant): Promise<number> {
  const exports = await listOf<{ paused: boolean }>(service, tenant, 'batch_exports/?limit=1000')
  return exports.filter(({ paused }) => paused).length
}

/** The status of each bulk action, newest first. */
async function bulkStatuses(service: RunningService, tenant: Tenant): Promise<string[]> {
  return (await bulkList(service, tenant)).map(({ status }) => status)
}

function bulkList(service: RunningService, tenant: Tenant) {
  return listOf<{ id: string; status: string }>(service, tenant, 'bulk_actions/')
}

async function listOf<Row>(service: RunningService, tenant: Tenant, path: string): Promise<Row[]> {
  const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/${path}`, {
    headers: { authorization: `Bearer ${tenant.api_key}` },
  })
  const { results }: { results: Row[] } = await response.json()
  return results
}
