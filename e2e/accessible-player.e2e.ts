import { expect, type Locator, type Page } from '@playwright/test'
import { RecordingLink } from '../src/contract/recordings/sharing.ts'
import { expectAccessible, signIn, test, type Tenant } from './journey.ts'
import { sendSession } from './recorded-session.ts'
import { minute, recordedPage, visitToShop } from './recorded-shop.ts'
import type { RunningService } from './service.ts'

/* The player in use. `expectAccessible` tests both themes. */

const widths = [1280, 375]
const tabs = ['Events', 'Network', 'Console', 'Notes', 'Person', 'Similar', 'Summary']

for (const width of widths)
  test(
    `the player in use is accessible in a window of ${width} px`,
    { tag: '@slow' },
    async ({ page, service, tenant }) => {
      test.slow()
      const session = await sendSession(service, tenant, visitToShop(Date.now() - 10 * minute))
      await page.setViewportSize({ width, height: 800 })
      await signIn(page, service, tenant.api_key, `/recordings/${session}`)
      await expectPlaying(page)
      await expectAccessible(page)
      await expectNamedIcons(page)
      for (const tab of tabs) {
        await page.getByRole('link', { name: tab, exact: true }).click()
        await expect(page.getByRole('link', { name: tab, exact: true })).toHaveAttribute(
          'aria-current',
          'page',
        )
        await expectAccessible(page)
        await expectNamedIcons(page)
      }
      for (const [name, opened] of [
        ['Share', page.getByRole('menu', { name: 'Share' })],
        ['More actions', page.getByRole('menu', { name: 'More actions' })],
        ['Complete', page.getByRole('heading', { name: 'No known gaps' })],
        ['Write a note', page.getByRole('textbox', { name: /^Note at/ })],
      ] as const) {
        await page.getByRole('button', { name, exact: true }).click()
        await expectOpen(page, opened)
      }
      for (const item of ['Embed…', 'Sharing settings…']) {
        await page.getByRole('button', { name: 'Share', exact: true }).click()
        await page.getByRole('menuitem', { name: item }).click()
        await expectOpen(page, page.getByRole('dialog'))
      }
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Add to collection…' }).click()
      await expectOpen(page, page.getByRole('dialog'))
      await page.keyboard.press('?')
      await expectOpen(page, page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    },
  )

test('the player of a link is accessible in use, in wide and narrow windows', async ({
  page,
  service,
  tenant,
}) => {
  const link = await createLink(service, tenant)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(link)
    await expectPlaying(page)
    await expectAccessible(page)
    await expectNamedIcons(page)
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await expectOpen(page, page.getByRole('heading', { name: 'No known gaps' }))
  }
})

/** Creates a link to a recording that shows its messages and requests, and returns its address. */
async function createLink(service: RunningService, tenant: Tenant): Promise<string> {
  const { origin } = service
  const session = await sendSession(service, tenant, visitToShop(Date.now() - 10 * minute))
  const response = await fetch(
    `${origin}/api/projects/${tenant.project_id}/session_recordings/${session}/links/`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ shows: 'all' }),
    },
  )
  return `${origin}/shared/${RecordingLink.parse(await response.json()).access_token}`
}

/** Expects the recording to play from its beginning. */
async function expectPlaying(page: Page): Promise<void> {
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
}

/** Expects something that has opened to be accessible, and closes it. */
async function expectOpen(page: Page, opened: Locator): Promise<void> {
  await expect(opened).toBeVisible()
  await expectAccessible(page)
  await expectNamedIcons(page)
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
}

/** Expects each visible button or link without a text to have a name, and to show it or a reason on hover. */
async function expectNamedIcons(page: Page): Promise<void> {
  const nameless = () =>
    page.evaluate(() => {
      const textOf = (element: Element) => {
        const copy = element.cloneNode(true) as HTMLElement
        for (const hidden of copy.querySelectorAll('[aria-hidden=true], svg')) hidden.remove()
        return copy.textContent.trim()
      }
      return [...document.querySelectorAll<HTMLElement>('button, a, [role=menuitem]')]
        .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden=true]'))
        .filter((element) => textOf(element) === '')
        .filter((element) => {
          const tip = document.getElementById(element.getAttribute('aria-describedby') ?? '')
          return !element.ariaLabel || !(element.title || tip?.role === 'tooltip')
        })
        .map(({ outerHTML }) => outerHTML)
    })
  expect(await nameless()).toEqual([])
}
