import { chromium, expect, type Page } from '@playwright/test'
import { installBrowser } from '../.ci/install-browser.ts'
import { test } from './journey.ts'
import { black, gold, openVisit, recordVisit, seekTo, turnOffPageState } from './recorded-visit.ts'
import { recordedPage } from './recorded-shop.ts'

const themed = `<style>:root { color-scheme: light dark } @media (prefers-color-scheme: dark) { h1 { color: gold } }</style>`
const contrasted = `<style>@media (prefers-contrast: more) { h1 { color: gold } } @media (prefers-contrast: no-preference) { h1 { color: black } }</style>`

/** Expects the colors of the heading at both moments, and again at the first. */
async function expectGoldThenBlack(page: Page, goldAt: number | undefined, blackAt: number | undefined) {
  const heading = recordedPage(page).getByRole('heading', { name: 'Lamps' })
  for (const [moment, color] of [
    [goldAt, gold],
    [blackAt, black],
    [goldAt, gold],
  ] as const) {
    await seekTo(page, moment)
    await expect(heading).toHaveCSS('color', color)
  }
  return heading
}

test('a dark visit plays dark for a light viewer, and changes with the visitor’s color scheme', async ({
  browser,
  service,
  tenant,
}) => {
  const visit = await recordVisit(
    browser,
    service,
    tenant,
    { head: themed, body: '<h1>Lamps</h1>', colorScheme: 'dark' },
    async (page, mark) => {
      await mark()
      await page.emulateMedia({ colorScheme: 'light' })
      await mark()
    },
  )
  const page = await openVisit(browser, service, tenant, visit)
  const [darkAt, lightAt] = visit.moments
  await expectGoldThenBlack(page, darkAt, lightAt)
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible()
})

test(
  'a visit with more contrast plays with more contrast, and changes with the visitor’s setting',
  { tag: '@slow' },
  async ({ browser, service, tenant }) => {
    const visit = await recordVisit(
      browser,
      service,
      tenant,
      { head: contrasted, body: '<h1>Lamps</h1>', contrast: 'more' },
      async (page, mark) => {
        await mark()
        await page.emulateMedia({ contrast: 'no-preference' })
        await mark()
      },
    )
    const page = await openVisit(browser, service, tenant, visit)
    const [moreAt, usualAt] = visit.moments
    const heading = await expectGoldThenBlack(page, moreAt, usualAt)
    // Playing passes the change.
    await page.keyboard.press(' ')
    await expect(heading).toHaveCSS('color', black)
    await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible()
  },
)

test('a light visit plays light for a dark viewer; without the addition, the badge says what is unknown', async ({
  browser,
  service,
  tenant,
}) => {
  await turnOffPageState(service, tenant)
  const body = '<h1>Lamps</h1>'
  const head = themed + contrasted
  const visit = await recordVisit(browser, service, tenant, { head, body }, async () => undefined)
  // Unlike emulation, this option leaves frames the choice of another scheme.
  const args = ['--blink-settings=preferredColorScheme=0', '--no-sandbox', '--disable-gpu']
  const dark = await chromium.launch({ executablePath: installBrowser(), args })
  const page = await openVisit(dark, service, tenant, visit)
  expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  await expect(recordedPage(page).getByRole('heading', { name: 'Lamps' })).toHaveCSS('color', black)
  await page.getByRole('button', { name: '2 known gaps' }).click()
  await expect(page.getByText('The visitor’s color scheme is unknown')).toBeVisible()
  await expect(page.getByText('The visitor’s contrast setting is unknown')).toBeVisible()
  await dark.close()
})
