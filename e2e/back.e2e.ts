import { expect, type Page } from '@playwright/test'
import { captureVisits } from './captured-visits.ts'
import { createExport, signIn, test } from './journey.ts'

test(
  'Back from an export, and a reload, return to the same place in a long list',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const names = Array.from({ length: 150 }, (_, number) => `Orders ${number}`)
    await Promise.all(names.map((name) => createExport(service, tenant, { name, paused: true })))
    await signIn(page, service, tenant.api_key)
    await expect(page.getByText('150 in ')).toBeVisible()
    await scrollDown(page, 3_000)
    await expectSamePlaceAfterBackAndReload(page)
  },
)

test('Back from a recording, and a reload, return to the same place, far below the first page of the list', async ({
  page,
  service,
  tenant,
}) => {
  const visits = Array.from({ length: 400 }, (_, number) => ({
    visitor: `guest-${number}`,
    minutesAgo: number + 1,
  }))
  await captureVisits(service, tenant, visits)
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(page.getByText('400 recordings')).toBeVisible()
  await scrollDown(page, 11_000)
  await expectSamePlaceAfterBackAndReload(page)
})

/**
 * Scrolls the page to a position (px), waiting for rows that are loaded on the way. A wheel would not do: on a busy
 * machine its last events arrive after the position is read, and scroll the chosen row away.
 */
async function scrollDown(page: Page, to: number): Promise<void> {
  const scrolledTo = () =>
    page.evaluate((top) => {
      scrollTo(0, top)
      return scrollY
    }, to)
  await expect.poll(scrolledTo).toBe(to)
}

/** Opens the row in the middle of the window, goes back, reloads, and expects that row where it was each time. */
async function expectSamePlaceAfterBackAndReload(page: Page): Promise<void> {
  const textInTheMiddle = () =>
    page.evaluate(
      () => document.elementFromPoint(600, 400)?.closest('tr')?.querySelector('a')?.textContent ?? '',
    )
  await expect.poll(textInTheMiddle).not.toBe('')
  const text = await textInTheMiddle()
  const link = page.getByRole('row').getByRole('link', { name: text, exact: true })
  const place = () => link.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await place()
  await link.click()
  await expect(page.getByRole('heading', { name: text })).toBeVisible()
  await page.goBack()
  await expect.poll(place).toBe(before)
  await page.reload()
  await expect.poll(place).toBe(before)
}
