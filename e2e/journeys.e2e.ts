import { rm } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { Actions } from './actions.ts'
import { captureVisits, emailOf, type CapturedVisit } from './captured-visits.ts'
import {
  backfillHours,
  createExport,
  createFailingExport,
  hoursAgo,
  rowWith,
  send,
  signIn,
  test,
} from './journey.ts'
import { startObjectStore } from './object-store.ts'
import { describedRecordings } from './recorded-session.ts'

/* The six journeys that an analyst makes most often, each by mouse and by keyboard, with the number of their actions. */

const day = 24 * 60
const shoppers: readonly CapturedVisit[] = [
  { visitor: 'ada', minutesAgo: 5, seconds: 40 },
  { visitor: 'ada', minutesAgo: day, seconds: 40, clicks: 2, errors: ['Voucher 17 refused'] },
  ...Array.from({ length: 8 }, (_, index) => ({
    visitor: `guest-${index}`,
    minutesAgo: 90 - index,
    errors: [`Voucher ${index} refused`],
  })),
]

test(
  'the six journeys take as few actions as promised, by mouse and by keyboard',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const [recording] = await captureVisits(service, tenant, shoppers)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, service, tenant.api_key, '/recordings')

    await replayError(page)
    await summarizeThree(page)
    await summarizeErrors(page)
    await shareAndNote(page, recording)
    await expect.poll(() => describedRecordings(service, tenant), { timeout: 60_000 }).toBe(shoppers.length)
    await findYesterdaysError(page)
  },
)

test('exports are retried, filled, cloned and paused in as few actions as promised, by mouse', async ({
  page,
  service,
  tenant,
}) => {
  const names = ['A', 'B', 'C', 'D', 'E'].map((name) => `Orders ${name}`)
  // Each has a file of another name in its way, which is another cause.
  const handOver = await createFailingExport(service, tenant, 'Hand-over')
  const takings = await createFailingExport(service, tenant, 'Takings')
  await createFailingExport(service, tenant, 'Stock')
  const { id } = await createExport(service, tenant, { name: 'Holes', end_at: hoursAgo(0) })
  for (const [from, to] of [
    [9, 8],
    [6, 5],
    [3, 0],
  ] as const)
    await backfillHours(service, tenant, id, { from, to })
  for (const [index, name] of names.entries()) {
    await createExport(service, tenant, { name, end_at: hoursAgo(0) })
    await createExport(service, tenant, { name: `Returns ${index}`, end_at: hoursAgo(0) })
  }
  await signIn(page, service, tenant.api_key, '/problems')
  await expect(page.getByText('15 failed windows, 3 causes')).toBeVisible({ timeout: 30_000 })
  for (const failing of [handOver, takings])
    await send(
      service,
      tenant,
      `batch_exports/${failing.id}/`,
      { destination: { type: 'File', config: { path: `moved-${failing.id}` } } },
      'PATCH',
    )
  await page.reload()
  await takes(page, 1, async (act) => {
    await expect(page.getByText('Fix the destination of 1 cause first.')).toBeVisible()
    await act.click(page.getByRole('button', { name: 'Retry 10 other failed windows' }))
    await expect(page.getByText(/^Retr(ying|ied) 5 runs/)).toBeVisible()
    await expect(page.getByRole('button', { name: '1 other action' })).toBeVisible()
  })
  await page.goto(`${service.origin}/exports/${id}`)
  await expect(page.getByText('4 windows need repair')).toBeVisible()
  await takes(page, 2, async (act) => {
    await act.click(page.getByRole('button', { name: 'Backfill', exact: true }))
    await expect(page.getByRole('dialog')).toContainText('4 runs, one per window that is missing')
    await act.click(page.getByRole('button', { name: 'Start backfill' }))
    await expect(page.getByText('Backfilling 4 windows of Holes')).toBeVisible()
  })
  await page.goto(`${service.origin}/exports`)
  await takes(page, 2, async (act) => {
    await act.click(page.getByRole('button', { name: 'Actions for Holes' }))
    await act.click(page.getByRole('menuitem', { name: 'Clone' }))
    await expect(page.getByRole('heading', { name: 'Copy of Holes' })).toBeInViewport()
  })
  await page.goto(`${service.origin}/exports`)
  await takes(page, 3, async (act) => {
    await act.fill(page.getByRole('searchbox'), 'orders')
    await expect(rowWith(page, 'Returns')).toHaveCount(0)
    await act.click(page.getByLabel('Select all shown'))
    await act.click(page.getByRole('button', { name: 'Pause', exact: true }))
    await expect(page.getByText('Paused 5 exports.')).toBeVisible()
  })
})

test(
  'today’s failures are retried from Home in one action, and holes filled from the list in three, by mouse',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const handOver = await createFailingExport(service, tenant, 'Hand-over')
    const takings = await createFailingExport(service, tenant, 'Takings')
    const { id } = await createExport(service, tenant, { name: 'Holes', end_at: hoursAgo(0) })
    for (const from of [9, 6, 1]) await backfillHours(service, tenant, id, { from, to: from - 1 })
    await signIn(page, service, tenant.api_key, '/')
    await expect(page.getByRole('button', { name: 'Retry today’s failures (10)' })).toBeVisible({
      timeout: 30_000,
    })
    await send(service, tenant, `batch_exports/${takings.id}/pause/`, {})
    await rm(handOver.inTheWay)
    await page.reload()
    await takes(page, 1, async (act) => {
      await expect(page.getByText('1 paused export left out')).toBeVisible()
      await act.click(page.getByRole('button', { name: 'Retry today’s failures (5)' }))
      await expect(page.getByText('Retried 5 runs.')).toBeVisible()
    })
    await expect(page.getByRole('button', { name: /^Retry today/ })).toHaveCount(0)
    await page.goto(`${service.origin}/exports`)
    await takes(page, 3, async (act) => {
      await act.click(page.getByRole('button', { name: 'Actions for Holes' }))
      await act.click(page.getByRole('menuitem', { name: 'Backfill…' }))
      await expect(page.getByRole('dialog')).toContainText('6 runs, one per window that is missing')
      await act.click(page.getByRole('button', { name: 'Start backfill' }))
      await expect(page.getByText('Backfilling 6 windows of Holes')).toBeVisible()
    })
  },
)

test(
  'an S3 export with its test takes nine actions by mouse; five exports, adjacent or not, are paused in two',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const store = await startObjectStore('lake')
    for (const name of 'ABCDEFGHI') await createExport(service, tenant, { name })
    await signIn(page, service, tenant.api_key)
    await takes(page, 9, async (act) => {
      await act.click(page.getByRole('link', { name: 'New export' }))
      await act.fill(page.getByLabel('Name'), 'Lake')
      await act.fill(page.getByLabel('Bucket'), 'lake')
      await act.fill(page.getByLabel('Region'), 'us-east-1')
      await act.fill(page.getByLabel('Access key id'), 'S3RVER')
      await act.fill(page.getByLabel('Secret access key'), 'S3RVER')
      await act.fill(page.getByLabel('Endpoint'), store.endpoint)
      await act.click(page.getByRole('button', { name: 'Test connection' }))
      await expect(page.getByText('The connection works.')).toBeVisible()
      await act.click(page.getByRole('button', { name: 'Create export' }))
      await expect(page.getByRole('heading', { name: 'Lake', exact: true })).toBeVisible()
    })
    await store.stop()
    await page.goto(`${service.origin}/exports`)
    const boxes = page.getByRole('checkbox', { name: /^Select [A-I]$/ })
    await takes(page, 2, async (act) => {
      await act.drag(boxes.nth(0), boxes.nth(4))
      await act.click(page.getByRole('button', { name: 'Pause', exact: true }))
      await expect(page.getByText('Paused 5 exports.')).toBeVisible()
    })
    await page.getByRole('button', { name: 'Unpause', exact: true }).click()
    await expect(page.getByText('Unpaused 5 exports.')).toBeVisible()
    await page.goto(`${service.origin}/exports`)
    await expect(boxes).toHaveCount(9)
    await takes(page, 2, async (act) => {
      await act.dragOver([0, 2, 4, 6, 8].map((index) => boxes.nth(index)))
      await act.click(page.getByRole('button', { name: 'Pause', exact: true }))
      await expect(page.getByText('Paused 5 exports.')).toBeVisible()
    })
    await expect(page.getByRole('switch', { name: /^[ACEGI]: run/, checked: false })).toHaveCount(5)
  },
)

test('by keyboard alone: sees why a run failed, fills the holes of an export, and shares a moment', async ({
  page,
  service,
  tenant,
}) => {
  await createFailingExport(service, tenant, 'Hand-over')
  const { id } = await createExport(service, tenant, { name: 'Holes', end_at: hoursAgo(0) })
  for (const [from, to] of [
    [6, 5],
    [3, 0],
  ] as const)
    await backfillHours(service, tenant, id, { from, to })
  await captureVisits(service, tenant, shoppers.slice(0, 1))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'Hand-over', 'failing')).toBeVisible({ timeout: 30_000 })
  await takes(page, 1, async (act) => {
    await act.openRow('Enter')
    const failure = page.getByRole('region', { name: 'Failure' })
    await expect(failure).toContainText('is a file, so no folder of that name can be created')
  })
  await openByPalette(page, 'Holes')
  await expect(page.getByText('2 windows need repair')).toBeVisible()
  await takes(page, 2, async (act) => {
    await act.press('b')
    await expect(page.getByRole('dialog')).toContainText('2 runs, one per window that is missing')
    await act.reach(page.getByRole('button', { name: 'Start backfill' }))
    await expect(page.getByText('Backfilling 2 windows of Holes')).toBeVisible()
  })
  await openByPalette(page, 'Recordings')
  await expect(rowWith(page, emailOf('ada'))).toBeVisible()
  await takes(page, 4, async (act) => {
    await act.openRow('Enter')
    await expect(page.getByRole('slider')).toBeVisible()
    await act.press('5')
    await act.press('s')
    await act.press('p')
    await expectPublicLink(page)
  })
})

/** Opens an export or a page by its name. */
async function openByPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toContainText(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name, exact: true, level: 1 })).toBeVisible()
}

/** Opens all replays of an error. */
async function replayError(page: Page): Promise<void> {
  await start(page, '/recordings/errors')
  await takes(page, 2, async (act) => {
    await act.click(page.getByRole('button', { name: 'Show Voucher … refused' }))
    await expectNineReplays(page)
  })
  await start(page, '/recordings/errors')
  await takes(page, 2, async (act) => {
    await act.openRow('Enter')
    await expectNineReplays(page)
  })
}

/** Selects three recordings and summarizes them. */
async function summarizeThree(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select the recording/ })
  const selection = page.getByRole('region', { name: 'Selected recordings' })
  await start(page, '/recordings')
  await takes(page, 2, async (act) => {
    await act.drag(boxes.nth(0), boxes.nth(2))
    await act.click(selection.getByRole('button', { name: 'Summarize' }))
    await expectSummary(page, 3)
  })
  await start(page, '/recordings')
  await takes(page, 2, async (act) => {
    await act.press('3')
    await act.press('m')
    await expectSummary(page, 3)
  })
}

/** Summarizes all recordings with errors. */
async function summarizeErrors(page: Page): Promise<void> {
  await start(page, '/recordings')
  await takes(page, 2, async (act) => {
    await act.click(page.getByRole('button', { name: /^Errors/ }))
    await expect(page.getByText('9 recordings')).toBeVisible()
    await act.click(page.getByRole('button', { name: 'Summarize all' }))
    await expectSummary(page, 9)
  })
  await start(page, '/recordings')
  await takes(page, 2, async (act) => {
    await act.type('errors', { open: 'f', leave: 'Enter' })
    await expect(page.getByText('9 recordings')).toBeVisible()
    await act.press('Shift+M')
    await expectSummary(page, 9)
  })
}

/** Shares a recording from its current moment, and writes a note at it. */
async function shareAndNote(page: Page, recording: string | undefined): Promise<void> {
  await start(page, `/recordings/${recording}?t=33`)
  await takes(page, 2, async (act) => {
    await act.click(page.getByRole('button', { name: 'Share' }))
    await act.click(page.getByRole('menuitem', { name: /^Public link from/ }))
    await expectPublicLink(page)
  })
  await takes(page, 2, async (act) => {
    await act.press('s')
    await act.press('p')
    await expectPublicLink(page)
  })
  await takes(page, 2, async (act) => {
    await act.click(page.getByRole('button', { name: 'Write a note' }))
    await act.type('Refused', { leave: 'ControlOrMeta+Enter' })
    await expectNote(page, 'Refused')
  })
  await takes(page, 2, async (act) => {
    await act.press('c')
    await act.type('Refused again', { leave: 'ControlOrMeta+Enter' })
    await expectNote(page, 'Refused again')
  })
}

/** Finds an error that a visitor met yesterday. */
async function findYesterdaysError(page: Page): Promise<void> {
  await start(page, '/recordings')
  await takes(page, 3, async (act) => {
    await act.fill(page.getByRole('searchbox'), 'ada')
    await act.click(page.getByRole('button', { name: /^Yesterday/ }))
    await expect(page.getByText('1 recording', { exact: true })).toBeVisible()
    await act.click(page.getByRole('link', { name: /Voucher 17 refused/ }).first())
    await expectErrorOf(page, 'ada')
  })
  await start(page, '/recordings')
  await takes(page, 3, async (act) => {
    await act.type('ada', { open: '/', leave: 'Enter' })
    await act.type('yesterday', { open: 'f', leave: 'Enter' })
    await expect(page.getByText('1 recording', { exact: true })).toBeVisible()
    await act.openRow('e')
    await expectErrorOf(page, 'ada')
  })
}

/** Opens the page where a journey starts. */
async function start(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  const content = [rowWith(page, emailOf('guest-0')), rowWith(page, 'Voucher'), page.getByRole('slider')]
  await expect(content.reduce((all, one) => all.or(one)).first()).toBeVisible()
}

async function takes(page: Page, most: number, journey: (act: Actions) => Promise<void>): Promise<void> {
  const act = new Actions(page)
  await journey(act)
  expect(act.count).toBeLessThanOrEqual(most)
}

async function expectNineReplays(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Voucher … refused' })
  await expect(sheet.locator('iframe')).toHaveCount(9)
}

async function expectSummary(page: Page, recordings: number): Promise<void> {
  await expect(page.getByRole('heading', { name: `Summary of ${recordings} recordings` })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Example: / }).first()).toBeVisible()
}

/** Expects a public link in the clipboard, and empties the clipboard. */
async function expectPublicLink(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/shared\/[\w-]+$/)
  await page.evaluate(() => navigator.clipboard.writeText(''))
}

async function expectNote(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('button', { name: new RegExp(`^Note of .+: ${text}$`) })).toBeVisible()
}

async function expectErrorOf(page: Page, visitor: string): Promise<void> {
  // The voucher was refused after 36 seconds.
  await expect(page).toHaveURL(/\/recordings\/[^/]+\?.*t=33/)
  await expect(page.getByRole('heading', { name: emailOf(visitor) })).toBeVisible()
}
