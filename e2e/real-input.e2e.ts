import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Browser, type Page } from '@playwright/test'
import { readJsonLines, readParquet, type ExportedRow } from './exported-rows.ts'
import { hoursAgo, passUndo, rowWith, signIn, test } from './journey.ts'
import { startObjectStore } from './object-store.ts'
import { serveShopPage, type SentEvent } from './shop-page.ts'

test.use({ timezoneId: 'UTC' })

type Shop = Awaited<ReturnType<typeof serveShopPage>>

test('every event that a page’s posthog-js sends is exported to a bucket and to a folder, row for row', async ({
  page,
  browser,
  service,
  tenant,
}) => {
  const store = await startObjectStore('lake')
  const shop = await serveShopPage(service.origin, tenant.project_token)

  const events = await visitShop(browser, shop)

  await page.clock.install()
  await signIn(page, service, tenant.api_key)
  await createBucketExport(page, store.endpoint)
  await backfillNow(page, events.length)

  const path = `folder-${tenant.project_id}`
  await page.goto(`${service.origin}/exports/new`)
  await createFolderExport(page, path)
  await backfillNow(page, events.length)

  const fromBucket = await bucketRows(await store.objects('lake'), service.dataDirectory)
  const folder = join(service.dataDirectory, 'exports', String(tenant.project_id), path)
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  const fromFolder = readJsonLines(texts.join(''))

  const captured = events.map(asExported).sort((a, b) => a.uuid.localeCompare(b.uuid))
  const withoutTime = (rows: ExportedRow[]) =>
    rows.map(({ timestamp: _, ...row }) => row).sort((a, b) => a.uuid.localeCompare(b.uuid))
  expect(withoutTime(fromFolder)).toEqual(captured)
  expect(withoutTime(fromBucket)).toEqual(captured)
  expect(fromBucket.map(({ timestamp }) => timestamp)).toEqual(fromFolder.map(({ timestamp }) => timestamp))

  shop.stop()
  await store.stop()
})

/** Visits the shop as a customer; returns the events that posthog-js has sent, each once. */
async function visitShop(browser: Browser, { url, sent }: Shop): Promise<SentEvent[]> {
  const visitor = await browser.newPage()
  await visitor.goto(url)
  await visitor.getByRole('button', { name: 'Buy the brass lamp' }).click()
  await visitor.evaluate(() => {
    const { posthog } = window as unknown as {
      posthog: { capture(event: string, properties: object): void; identify(id: string, set: object): void }
    }
    posthog.capture('order placed', {
      total: 129.5,
      items: ['brass lamp', 'linen shade'],
      note: 'Ünïcode “quotes” \n and a tab\t',
    })
    posthog.identify('ada@example.com', { email: 'ada@example.com', plan: 'pro' })
    posthog.capture('after identify', { deep: { er: { still: [1, 2, { three: null }] } } })
  })
  const names = () => [...new Set(sent.map(({ event }) => event))].sort()
  await expect
    .poll(names)
    .toEqual(['$autocapture', '$identify', '$pageview', 'after identify', 'order placed'])
  await visitor.goto('about:blank')
  await expect.poll(names).toContain('$pageleave')
  await visitor.close()
  // On leaving, posthog-js sends events again whose requests are still in progress.
  return [...new Map(sent.map((event) => [event.uuid, event])).values()]
}

async function createBucketExport(page: Page, endpoint: string): Promise<void> {
  await page.getByRole('link', { name: 'New export' }).first().click()
  await page.getByLabel('Name').fill('Lake')
  await page.getByLabel('Interval').selectOption('every 5 minutes')
  await endSchedule(page)
  await page.getByRole('radio', { name: 'S3 or compatible' }).check()
  await page.getByLabel('Bucket').fill('lake')
  await page.getByLabel('Region').fill('us-east-1')
  await page.getByLabel('Prefix').fill('events/{year}')
  await page.getByLabel('Access key id').fill('S3RVER')
  await page.getByLabel('Secret access key').fill('S3RVER')
  await page.getByLabel('Endpoint').fill(endpoint)
  await page.getByLabel('Format').selectOption('Parquet')
  await page.getByLabel('Compression').selectOption('zstd')
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByRole('heading', { name: 'Lake' })).toBeVisible()
}

async function createFolderExport(page: Page, path: string): Promise<void> {
  await page.getByLabel('Name').fill('Folder')
  await page.getByLabel('Interval').selectOption('every 5 minutes')
  await endSchedule(page)
  await page.getByRole('radio', { name: 'Service’s disk' }).check()
  await page.getByLabel('Folder').fill(path)
  await page.getByLabel('Format').selectOption('JSONLines')
  await page.getByLabel('Compression').selectOption('none')
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByRole('heading', { name: 'Folder' })).toBeVisible()
}

/** Reads the rows of all Parquet files in a bucket. */
async function bucketRows(objects: Map<string, Buffer>, directory: string): Promise<ExportedRow[]> {
  const rows: ExportedRow[] = []
  for (const [key, body] of objects) {
    expect(key).toMatch(/^events\/\d{4}\/.*\.parquet$/)
    const copy = join(directory, 'copy.parquet')
    await writeFile(copy, body)
    rows.push(...readParquet(copy))
  }
  return rows
}

/** Returns a sent event as exported: `$set` and `$set_once` in the properties, clicked elements in a separate column. */
function asExported({ uuid, event, properties, $set, $set_once }: SentEvent): Omit<ExportedRow, 'timestamp'> {
  const { $elements: _, $elements_chain: chain = '', ...others } = properties
  const all = { ...others, ...($set && { $set }), ...($set_once && { $set_once }) }
  return {
    uuid,
    event,
    distinct_id: String(properties['distinct_id']),
    elements_chain: String(chain),
    properties: all,
  }
}

/** Ends the schedule, which would otherwise export the same rows again while the backfill's rows are counted. */
async function endSchedule(page: Page): Promise<void> {
  await page.getByLabel('End, UTC time').fill(hoursAgo(0).slice(0, 16))
}

/** Backfills the last half hour and the window that is still open, and waits until `rows` rows are exported. */
async function backfillNow(page: Page, rows: number): Promise<void> {
  await page.getByRole('button', { name: 'Backfill', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const inUtc = (time: number) => new Date(time).toISOString().slice(0, 16)
  await dialog.getByLabel('From, UTC time').fill(inUtc(Date.now() - 30 * 60_000))
  await dialog.getByLabel('To, UTC time').fill(inUtc(Date.now() + 2 * 60_000))
  await dialog.getByRole('button', { name: 'Start backfill' }).click()
  await passUndo(page)
  await expect(rowWith(page, 'Completed')).toHaveCount(1, { timeout: 30_000 })
  await page.getByRole('link', { name: 'Runs' }).click()
  const runs = page.getByRole('table', { name: 'Runs, newest first' })
  await expect(runs.getByRole('columnheader').nth(4)).toHaveText('Rows')
  const exported = async () => {
    const cells = await runs.locator('td:nth-child(5)').allInnerTexts()
    return cells.reduce((sum, text) => sum + Number(text.replace(/\D/g, '') || 0), 0)
  }
  await expect.poll(exported, { timeout: 30_000 }).toBe(rows)
}
