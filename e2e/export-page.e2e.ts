import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { endedPeriod } from '../src/contract/interval.ts'
import { expectAccessible, passRest, rowWith, test } from './journey.ts'
import { startService, type RunningService } from './service.ts'

/* The page of one export with the sample data: its windows, its runs, its logs. */
test.describe.configure({ mode: 'serial' })

let service: RunningService
let page: Page

test.beforeAll(async ({ browser }) => {
  service = await startService({ env: { SPOOL_SAMPLE_DATA: 'on' } })
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin' })
  page = await context.newPage()
  await page.clock.install()
  await page.goto(service.signInUrl)
  await expect(page.getByRole('link', { name: 'Search terms' }).first()).toBeVisible({ timeout: 60_000 })
})

test.afterAll(async () => {
  await page.context().close()
  await service.stop()
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
