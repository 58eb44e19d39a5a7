import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { endedPeriod } from '../src/contract/interval.ts'
import { expectAccessible, navigationLink, passRest, passUndo, rowWith, test } from './journey.ts'
import { startService, type RunningService } from './service.ts'

/* The first hour of a new user: one command, the printed URL, the sample project, and what the pages of its exports show. */
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

test('opens the printed URL, and sees nine exports that have run', async () => {
  // The sample project is installed meanwhile.
  test.setTimeout(180_000)
  await page.goto(service.signInUrl)
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  await expect(page).not.toHaveURL(/key=/)
  await navigationLink(page, 'Batch exports').click()
  await expect(page.getByRole('switch')).toHaveCount(9, { timeout: 90_000 })
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

test('has a table of customers, with a proof for each window', async () => {
  test.setTimeout(120_000)
  await navigationLink(page, 'Batch exports').click()
  await page.getByRole('link', { name: 'Customers in the warehouse' }).click()
  // The list shows the table too, and links to the ledger of an export whose files are gone.
  await expect(page.getByRole('heading', { name: 'Customers in the warehouse' })).toBeVisible()
  await expect(page.getByText('public.customers in sample_warehouse', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Ledger' }).click()
  await expect(page.getByText('7 of 7 windows proven.')).toBeVisible({ timeout: 90_000 })
  await expect(page.getByRole('row', { name: /rows sent, \d+ found, equal/ })).toHaveCount(7)
  await expect(page.getByRole('button', { name: 'Copy the query of its rows' })).toHaveCount(7)
  await expectAccessible(page)
})

test.describe('later, on the pages of exports', () => {
  test.beforeAll(async ({ browser }) => {
    await page.context().close()
    const context = await browser.newContext({ timezoneId: 'Europe/Berlin' })
    page = await context.newPage()
    await page.clock.install()
    await page.goto(service.signInUrl)
    await expect(page.getByRole('link', { name: 'Search terms' }).first()).toBeVisible()
  })

  test('by keyboard alone: inspects, selects and opens windows', async () => {
    await openExport('Search terms')
    const cell = page.getByRole('gridcell')
    await cell.focus()
    await expect(cell).toHaveAttribute('aria-label', /\d\d:00.*: skipped while paused/)
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowLeft')
    await expect(cell).toBeFocused()
    await expect(panel()).toContainText('3 windows selected')
    await page.keyboard.press('Escape')
    await expect(panel()).not.toContainText('selected')
    await expect(page.getByRole('list', { name: 'Windows by state' })).toContainText('30 completed', {
      timeout: 60_000,
    })
    await goToNewest(cell, /: completed, [1-9][\d,]* rows?/)
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: /^Run of/ })
    await expect(drawer.getByText(/Completed: wrote search/)).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(cell).toBeFocused()
  })

  test('selects two runs by keyboard, retries them, and undoes that', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await expect(page.getByText('2 runs selected')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('2 runs selected')).toBeHidden()
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await page.keyboard.press('k')
    await page.keyboard.press('Shift+X')
    await expect(page.getByText('2 runs selected')).toBeVisible()
    await page.keyboard.press('r')
    const result = page.getByRole('region', { name: 'Bulk actions' })
    await expect(result).toContainText('Retried 2 runs.')
    await result.getByRole('button', { name: 'Undo' }).click()
    await expect(result).toContainText('2 runs are no longer being retried; written files stay.')
  })

  test('opens the page of a run, which prints without navigation and buttons', async () => {
    await openExport('Lake, hourly')
    await rowWith(page, 'Completed').first().getByRole('button').first().click()
    const drawer = page.getByRole('dialog', { name: /^Run of/ })
    await expect(drawer.getByText(/^lake\/.*\.parquet$/)).toBeVisible()
    await drawer.getByRole('link', { name: 'Open full page' }).click()
    await expect(page).toHaveURL(/\/runs\//)
    await expect(page.getByRole('heading', { name: /^Run of/ })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Batch exports/ }).first()).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expectAccessible(page)
    await page.evaluate(() => {
      globalThis.print = () => (document.title += ' printed')
    })
    await page.keyboard.press('ControlOrMeta+p')
    await expect(page).toHaveTitle(/printed$/)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await page.emulateMedia({ media: null })
  })

  test('sees new log lines appear, downloads them, and opens the run of one', async () => {
    await openExport('Lake, hourly')
    await page.getByRole('link', { name: 'Logs' }).click()
    const lines = page.getByRole('list', { name: 'Log lines, newest first' }).getByRole('listitem')
    await expect(lines.first()).toBeVisible()
    await backfillNewestHour()
    await passRest(page)
    await expect(lines.getByText(/^Backfill of .* created: 1 run\.$/)).toBeVisible({ timeout: 60_000 })
    await expect(lines.first()).toContainText('Completed: wrote lake', { timeout: 30_000 })
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    expect(text).toMatch(/created: 1 run\.[^]*Completed: wrote lake/)
    await lines.first().getByRole('link').click()
    await expect(page.getByRole('heading', { name: /^Run of/ })).toBeVisible()
  })
})

/** Goes back to the newest window whose description matches; in a quiet hour an export may have no rows. */
async function goToNewest(cell: Locator, description: RegExp): Promise<void> {
  for (let step = 0; step < 48; step += 1) {
    if (description.test((await cell.getAttribute('aria-label')) ?? '')) return
    await page.keyboard.press('ArrowLeft')
  }
  await expect(cell).toHaveAttribute('aria-label', description)
}

function panel(): Locator {
  return page.getByRole('region', { name: 'Selected windows' })
}

async function openExport(name: string): Promise<void> {
  await page.goto(`${service.origin}/exports`)
  const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
  await page.goto(`${service.origin}${href}`)
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

/** Exports the most recently ended hour again, through the API. */
async function backfillNewestHour(): Promise<void> {
  const { start, end } = endedPeriod('hour', Date.now(), 1)
  const id = /exports\/([^/?]+)/.exec(page.url())?.[1]
  const key = /key=(\S+)/.exec(service.signInUrl)?.[1]
  const response = await fetch(`${service.origin}/api/projects/@current/batch_exports/${id}/backfill/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      start_at: new Date(start).toISOString(),
      end_at: new Date(end).toISOString(),
    }),
  })
  expect(response.status).toBe(200)
}

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(join(service.dataDirectory, 'exports', '1', folder), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
