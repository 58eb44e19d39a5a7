import { rm } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { beginPauseAt } from './begin-pause.ts'
import {
  backfillHours,
  createExport,
  createFailingExport,
  expectAccessible,
  hoursAgo,
  importEvents,
  rowWith,
  send,
  signIn,
  test,
} from './journey.ts'

test('a failing export says why and what to do; its cause is fixed and retried for all exports', async ({
  page,
  service,
  tenant,
}) => {
  const { inTheWay } = await createFailingExport(service, tenant, 'Hand-over')
  await signIn(page, service, tenant.api_key)
  await rowWith(page, 'Hand-over', 'failing').getByRole('link', { name: 'Hand-over' }).click()
  const note = page.getByRole('region', { name: 'Failure' })
  await expect(note).toContainText('is a file, so no folder of that name can be created')
  await expect(note).toContainText('5 windows failed, within')
  await expect(note.getByRole('button', { name: 'Retry 5 windows' })).toBeVisible()
  await page.getByRole('link', { name: 'Batch exports' }).first().click()
  const failed = page.getByRole('link', { name: '5 failed windows, 1 cause' })
  await expect(failed).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  // A phone shows "5 failed", so that this, the missing windows and the button fit into one line.
  expect(await failed.evaluate((link) => link.getBoundingClientRect().width)).toBeLessThan(90)
  await page.setViewportSize({ width: 1280, height: 800 })
  await failed.click()
  const cause = page.getByRole('main').getByRole('listitem').filter({ hasText: 'What to do:' })
  await expect(cause).toContainText('Destination:')
  await expect(cause).toContainText("What to do: Change the destination's path, or remove that file.")
  await expect(cause).toContainText(
    /5 failures of 5 windows in 1 export; none exported since\. First failed window [56] h ago, last failure/,
  )
  await expectAccessible(page)
  await expect(cause.getByRole('link', { name: 'Fix destination' })).toHaveAttribute('href', /\/edit#where$/)
  await cause.getByRole('button', { name: /^Unassigned/ }).click()
  await page.getByRole('option', { name: /me$/ }).click()
  await page.getByRole('button', { name: 'Mine 1' }).click()
  await cause.getByRole('button', { name: /^Ignore/ }).click()
  await page.getByRole('menuitem', { name: 'Ignore for a week' }).click()
  await expect(page.getByText('No open problems are assigned to you')).toBeVisible()
  await page.getByRole('button', { name: 'Ignored 1' }).click()
  await expect(cause).toContainText('Ignored until')
  await expectAccessible(page)
  await cause.getByRole('button', { name: 'Reopen' }).click()
  await page.getByRole('button', { name: 'Show all ignored problems' }).click()
  await page.getByRole('button', { name: 'Open 1' }).click()
  await expect(cause.getByRole('button', { name: /^Ignore/ })).toBeVisible()
  await rm(inTheWay)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('pause export')
  await expect(page.getByRole('option', { name: 'Pause export' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Find' }).fill('retry 5 windows')
  await page.getByRole('option', { name: 'Retry 5 windows' }).click()
  await expect(cause).toContainText('all exported since or being exported')
  await expect(cause.getByRole('button', { name: 'Retry windows' })).toBeDisabled()
  await cause.getByRole('link', { name: 'Hand-over', exact: true }).click()
  await expect(note).toHaveCount(0)
})

test(
  'a repair plan leaves out steps that will fail, and links to the fix',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await createFailingExport(service, tenant, 'Hand-over')
    await signIn(page, service, tenant.api_key, '/')
    await expect(page.getByText(/5 windows to repair\.$/)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Repair all (5)' }).click()
    await expect(page.getByText('All steps are left out: tick those to run.')).toBeVisible()
    const step = rowWith(page, 'Hand-over')
    await expect(step).toContainText('Will fail: destination unchanged.')
    await expect(step.getByRole('checkbox')).not.toBeChecked()
    await expect(step.getByRole('cell', { name: 'unknown' }).last()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Run 1 step anyway' })).toBeEnabled()
    await expectAccessible(page)
    await step.getByRole('checkbox').click()
    await expect(page.getByText(/^1 step for 5 windows of 1 export: 5 failed\..*time unknown/)).toBeVisible()
    await step.getByRole('checkbox').click()
    const plan = page.url()
    await page.getByRole('link', { name: 'Fix destination' }).click()
    await page.getByLabel('Folder').fill(`corrected-${tenant.project_id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Hand-over' })).toBeVisible()
    await page.goto(plan)
    await expect(step).toContainText('left out')
    await expect(step).not.toContainText('Will fail')
    await page.getByRole('button', { name: 'Include 1 step left out' }).click()
    await expect(step.getByRole('checkbox')).toBeChecked()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.getByText('5 of 5 windows exported again; 5 proven at the destination.')).toBeVisible({
      timeout: 60_000,
    })
  },
)

test(
  'an export still shows its failure when the newest runs were cancelled',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const { id } = await createFailingExport(service, tenant, 'Hand-over')
    await importEvents(service, tenant, { hours: 45, perHour: 1 })
    // Stops after ten failures, which cancels the other runs.
    await backfillHours(service, tenant, id, { from: 45, to: 5 })
    await signIn(page, service, tenant.api_key)
    await page.getByRole('link', { name: 'Hand-over' }).click()
    await expect(page.getByRole('row', { name: 'Cancelled' }).nth(10)).toBeVisible()
    await expect(page.getByText(/^failing since/)).toBeVisible()
    const note = page.getByRole('region', { name: 'Failure' })
    await expect(note).toContainText('is a file, so no folder of that name can be created')
    await expect(note.getByRole('button', { name: /^Retry \d+ windows$/ })).toBeEnabled()
  },
)

test(
  'a pause gets a reason and an end, and unpausing fills exactly its gap',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const { id } = await createExport(service, tenant, { name: 'Orders', start_at: hoursAgo(30) })
    await signIn(page, service, tenant.api_key)
    await rowWith(page, 'Orders').getByRole('switch').click()
    await page.getByRole('button', { name: 'Add a reason or an end' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pause of Orders' })
    await dialog.getByLabel('Reason').fill('Moving the bucket')
    await expect(dialog).toContainText('Skips every window from')
    await dialog.getByRole('button', { name: '1 day' }).click()
    await expect(dialog).toContainText('Skips 24 windows')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(rowWith(page, 'Orders', '“Moving the bucket”')).toContainText('until')
    await rowWith(page, 'Orders').getByRole('link', { name: 'Orders' }).click()
    const note = page.getByRole('region', { name: 'Pause' })
    await expect(note).toContainText('“Moving the bucket”')
    await expect(note).toContainText('Skips 24 windows')
    await expect(page.getByText(/^resumes in .+ with the window/)).toBeVisible()
    await expectAccessible(page)
    await beginPauseAt(service, id, hoursAgo(3))
    await page.getByRole('button', { name: 'Unpause' }).click()
    await expect(page.getByText('Unpaused Orders. The pause skipped 3 windows.')).toBeVisible()
    await page.getByRole('button', { name: 'Fill the gap' }).click()
    await expect(page.getByText('Backfilling 3 windows of Orders.')).toBeVisible()
    await page.getByRole('link', { name: 'Backfills' }).click()
    await expect(page.getByRole('row').filter({ hasText: '3 of 3' })).toBeVisible()
    await expect(note).toHaveCount(0)
  },
)

test('a gap is filled without what was exported before the pause, even if the interval was edited meanwhile', async ({
  page,
  service,
  tenant,
}) => {
  const hour = 3_600_000
  const today = Math.floor(Date.now() / (24 * hour)) * 24 * hour
  const time = (hours: number) => new Date(today + hours * hour).toISOString()
  const { id } = await createExport(service, tenant, { name: 'Orders' })
  const path = `batch_exports/${id}/`
  await send(service, tenant, `${path}backfill/`, { start_at: time(-36), end_at: time(-12) })
  const runs = async () => {
    const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/${path}runs/`, {
      headers: { authorization: `Bearer ${tenant.api_key}` },
    })
    const { results } = (await response.json()) as {
      results: { status: string; data_interval_start: string; data_interval_end: string }[]
    }
    return results
  }
  // A window that a run is still exporting does not count as skipped.
  await expect
    .poll(async () => (await runs()).map(({ status }) => status))
    .toEqual(Array.from({ length: 24 }, () => 'Completed'))
  await send(service, tenant, `${path}pause/`, {})
  await beginPauseAt(service, id, time(-12))
  await send(service, tenant, path, { interval: 'day' }, 'PATCH')
  await signIn(page, service, tenant.api_key, `/exports/${id}`)
  await page.getByRole('button', { name: 'Unpause' }).click()
  await expect(page.getByText('Unpaused Orders. The pause skipped 1 window.')).toBeVisible()
  await page.getByRole('button', { name: 'Fill the gap' }).click()
  await expect(page.getByText('Backfilling 1 window of Orders.')).toBeVisible()
  const lastWindow = async () => {
    const [run] = await runs()
    return run && [run.data_interval_start, run.data_interval_end].map((at) => new Date(at).toISOString())
  }
  await expect.poll(lastWindow).toEqual([time(-12), time(0)])
})
