import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, navigationLink, passUndo, rowWith, test } from './journey.ts'
import { startService, type RunningService } from './service.ts'

/* The first hour of a new user: one command, the printed URL, the sample project. */
test.describe.configure({ mode: 'serial' })

let service: RunningService
let page: Page

test.beforeAll(async ({ browser }) => {
  service = await startService({ env: { SPOOL_SAMPLE_DATA: 'on' } })
  const context = await browser.newContext()
  page = await context.newPage()
  await page.clock.install()
})

test.afterAll(async () => {
  await page.context().close()
  await service.stop()
})

test('opens the printed URL, and sees eight exports that have run', async () => {
  // The sample project is installed meanwhile.
  test.setTimeout(180_000)
  await page.goto(service.signInUrl)
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  await expect(page).not.toHaveURL(/key=/)
  await navigationLink(page, 'Batch exports').click()
  await expect(page.getByRole('switch')).toHaveCount(8, { timeout: 60_000 })
  await expect(rowWith(page, 'Lake, hourly', 'healthy')).toBeVisible({ timeout: 60_000 })
  await expect(rowWith(page, 'Finance hand-over', 'failing')).toBeVisible()
  await expect(rowWith(page, 'Search terms', 'paused')).toBeVisible()
  await expect
    .poll(() => files('archive'), { timeout: 60_000 })
    .toContainEqual(expect.stringMatching(/\.jsonl\.gz$/))
  await expectAccessible(page)
})

test('pauses and unpauses an export in its row', async () => {
  const row = rowWith(page, 'Daily archive')
  await row.getByRole('switch').click()
  await expect(row).toContainText('paused')
  await page.reload()
  await expect(row).toContainText('paused')
  await row.getByRole('switch').click()
  await expect(row).not.toContainText('paused')
})

test('backfills a day, and finds its files in the folder', async () => {
  await page.getByRole('link', { name: 'Lake, hourly' }).click()
  await expect(page.getByRole('heading', { name: 'Lake, hourly' })).toBeVisible()
  await rm(join(service.dataDirectory, 'exports', '1', 'lake'), { recursive: true })
  await page.getByRole('button', { name: 'Backfill', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Last day' }).click()
  await expect(dialog).toContainText('24 runs')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Start backfill' }).click()
  await passUndo(page)
  await expect(page).toHaveURL(/backfills$/)
  await expect(rowWith(page, 'Completed')).toHaveCount(1, { timeout: 60_000 })
  // If an hour ends meanwhile, the schedule writes one more file.
  await expect.poll(async () => (await files('lake')).length).toBeGreaterThanOrEqual(24)
  await expectAccessible(page)
})

test('sees why a run failed, corrects the cause, and sees the run complete', async () => {
  await page.goto(`${service.origin}/exports`)
  await page.getByRole('link', { name: 'Finance hand-over' }).click()
  const failed = rowWith(page, 'Failed').first()
  await expect(failed).toContainText('is a file')
  await failed.getByRole('button').first().click()
  await expect(
    page
      .getByRole('dialog')
      .getByText(/Failed/)
      .first(),
  ).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Folder').fill('accounting/{year}/{month}')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Finance hand-over' })).toBeVisible()
  await rowWith(page, 'Failed').first().getByRole('button', { name: 'Retry' }).click()
  await passUndo(page)
  await expect(rowWith(page, 'Completed').first()).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => files('accounting')).toContainEqual(expect.stringMatching(/\.jsonl$/))
})

test('searches the logs by text', async () => {
  await page.getByRole('link', { name: 'Logs' }).click()
  await expect(page.getByText(/Completed: wrote accounting/).first()).toBeVisible()
  await page.getByLabel('Search the logs').fill('is a file')
  await expect(page.getByText(/Completed: wrote/)).toHaveCount(0)
  await expect(page.getByText(/is a file/).first()).toBeVisible()
  await expectAccessible(page)
})

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(join(service.dataDirectory, 'exports', '1', folder), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
