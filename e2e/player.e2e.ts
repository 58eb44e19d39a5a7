import { expect } from '@playwright/test'
import { expectAccessible, signIn, test } from './journey.ts'
import { clicked, element, pageShown, sendSession } from './recorded-session.ts'
import { minute, recordedPage, slider, visitToShop, watchShop, makeKey, apiOf } from './recorded-shop.ts'

test('plays a recording, and seeks with the timeline, the keyboard and the list of events', async ({
  page,
  service,
  tenant,
}) => {
  await watchShop(page, service, tenant, '?tab=events')
  const shown = recordedPage(page)
  await expect(shown.getByRole('heading', { name: 'At the beginning', includeHidden: true })).toHaveCSS(
    'color',
    'rgb(0, 128, 0)',
  )
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.keyboard.press('5')
  await expect(slider(page)).toHaveValue('60000')
  await expect(shown.getByText('After half a minute')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '1:05 of 2:00')
  // A second document shows the moment under the pointer, only while there is one.
  const frame = page.frameLocator('iframe[title="The recorded page"]')
  await slider(page).hover({ position: { x: 30, y: 20 } })
  await expect(frame.locator('.preview').frameLocator('iframe').getByText('At the beginning')).toBeVisible()
  await expect(frame.locator('iframe')).toHaveCount(2)
  await page.mouse.move(5, 5)
  await expect(frame.locator('iframe')).toHaveCount(1)
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '1:05 of 2:00')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByLabel('Speed')).toHaveValue('1.5')
  await page.getByRole('button', { name: /The lamp could not be lit/ }).click()
  await expect(slider(page)).toHaveValue('10000')
  await expect(shown.getByText('At the beginning')).toBeVisible()
  await expect(page.getByText('at shop.js:1:1')).toBeVisible()
  await slider(page).press('End')
  await expect(shown.getByText('At the end')).toBeVisible()
  // Shortcuts do nothing while the user types.
  await page.getByLabel('Search in this recording').fill('cart')
  await page.keyboard.press('0')
  await expect(slider(page)).toHaveValue('120000')
  await page.getByLabel('Search in this recording').fill('cart')
  await expect(page.getByRole('list', { name: 'What happened' }).getByRole('listitem')).toHaveText(
    /Failed: POST \/api\/cart 500/,
  )
  await page.getByRole('button', { name: 'console', exact: true }).click()
  await expect(page).toHaveURL(/show=console/)
  await expect(page.getByText('No matches')).toBeVisible()
})

test('playback skips idle time, and two actions copy a link to the moment, for the team or for anyone', async ({
  page,
  service,
  tenant,
}) => {
  const session = await watchShop(page, service, tenant, '?t=50')
  await expect(slider(page)).not.toHaveAttribute('aria-valuetext', /^0:0/)
  // Playback jumps from the last click before the idle minute to a second before the next click.
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^(1:5[789]|2:00)/)
  await expect(recordedPage(page).getByText('At the end')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('3')
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('menuitem', { name: 'Copy team link at 0:36' }).click()
  await expect(page.getByText('Link at 0:36 copied.')).toBeVisible()
  const link = () => page.evaluate(() => navigator.clipboard.readText())
  expect(await link()).toMatch(/\/recordings\/[\w-]+\?t=36$/)
  const share = apiOf(service, tenant, session)
  expect((await share('GET', 'links/')).json).toMatchObject({ count: 0 })
  await page.keyboard.press('s')
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Public link from 0:36 copied.')).toBeVisible()
  expect(await link()).toMatch(/\/shared\/[\w-]+$/)
  expect((await share('GET', 'links/')).json).toMatchObject({ results: [{ enabled: true, start: 36 }] })
})

test(
  'the player shows which of two windows is in use',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const start = Date.now() - 10 * minute
    const other = element('h1', {}, 'In another window')
    const session = await watchShop(page, service, tenant)
    await sendSession(
      service,
      tenant,
      [...pageShown(start + 40_000, { body: [other] }), clicked(start + 41_000, other.id)],
      { session, window: 'window-2' },
    )
    await page.reload()
    await expect(page.getByText('Window 1 of 2')).toBeVisible()
    await page.keyboard.press(' ')
    await slider(page).fill('41500')
    await expect(recordedPage(page).getByText('In another window')).toBeVisible()
    await expect(page.getByText('Window 2 of 2')).toBeVisible()
    // A pinned window stays in the picture, whichever window the visitor uses.
    await page.getByLabel('Window', { exact: true }).selectOption('Window 1')
    await expect(page.getByText('Window 1 of 2, pinned')).toBeVisible()
    await expect(recordedPage(page).getByText('After half a minute')).toBeVisible()
    await page.keyboard.press('w')
    await expect(recordedPage(page).getByText('In another window')).toBeVisible()
    await page.keyboard.press('0')
    await expect(page.getByText('Window 2 is not open at this moment')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Follow the visitor' }).click()
    await expect(page.getByText('Window 1 of 2', { exact: true })).toBeVisible()
  },
)

test('moves through the list with n and p, and returns to it with its filters', async ({
  page,
  service,
  tenant,
}) => {
  const older = await sendSession(service, tenant, visitToShop(Date.now() - 20 * minute))
  const newer = await sendSession(service, tenant, visitToShop(Date.now() - 10 * minute))
  const list = encodeURIComponent('snapshot_source=web&order=start_time&order_direction=ASC')
  await signIn(page, service, tenant.api_key, `/recordings/${older}?list=${list}&row=0&tab=events`)
  await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(new RegExp(`${newer}.*tab=events`))
  await expect(page.getByText('2 of 2', { exact: true })).toBeVisible()
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next recording' })).toHaveAccessibleDescription(
    'This is the last recording in the list.',
  )
  await page.keyboard.press('p')
  await expect(page).toHaveURL(new RegExp(older))
  await page.getByRole('main').getByRole('link', { name: 'Recordings' }).click()
  await expect(page).toHaveURL(/\/recordings\?snapshot_source=web.*order_direction=ASC$/)
})

test('watches a recording, keeps it, undoes its deletion, and deletes it', async ({
  page,
  service,
  tenant,
}) => {
  const session = await watchShop(page, service, tenant)
  const api = apiOf(service, tenant, session)
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  expect((await api('GET')).json['viewed']).toBe('')
  await expect.poll(async () => (await api('GET')).json['viewed']).not.toBe('')
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Kept' })).toHaveAttribute('aria-disabled', 'true')
  expect((await api('GET')).json['storage']).toBe('object_storage_lts')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: /Undo/ }).click()
  await page.goto(`${service.origin}/recordings/${session}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.poll(async () => (await api('GET')).status, { timeout: 20_000 }).toBe(404)
  await page.goto(`${service.origin}/recordings/${session}`)
  await expect(page.getByRole('heading', { name: 'Recording not found' })).toBeVisible()
  await expectAccessible(page)
})

test('watches with a read-only key, and sees which scopes the key lacks', async ({
  page,
  service,
  tenant,
}) => {
  const session = await sendSession(service, tenant, visitToShop(Date.now() - 10 * minute))
  const key = await makeKey(service, tenant, 'session_recording:read')
  await signIn(page, service, key, `/recordings/${session}`)
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  const keep = page.getByRole('button', { name: 'Keep', exact: true })
  await expect(keep).toHaveAttribute('aria-disabled', 'true')
  await expect(keep).toHaveAccessibleDescription("API key missing required scope 'session_recording:write'")
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(
    page.getByText("API key missing required scope 'sharing_configuration:read'").first(),
  ).toBeVisible()
  await expectAccessible(page)
})

test('every tab is accessible, and the page fits a narrow window', async ({ page, service, tenant }) => {
  await watchShop(page, service, tenant)
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  await page.keyboard.press(' ')
  for (const tab of ['Events', 'Network', 'Console', 'Person', 'Similar', 'Summary']) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await expect(page.getByRole('link', { name: tab, exact: true })).toHaveAttribute('aria-current', 'page')
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 375, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

test('the picture fills the window, and the inspector resizes and folds by mouse and keyboard', async ({
  page,
  service,
  tenant,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await watchShop(page, service, tenant)
  const picture = page.getByTitle('The recorded page')
  const inspector = page.getByRole('region', { name: 'Inspector' })
  const widths = async () => [(await picture.boundingBox())?.width, (await inspector.boundingBox())?.width]
  const fitsWindow = () =>
    page.evaluate(() => document.documentElement.scrollHeight <= innerHeight && innerHeight === 900)
  expect(await fitsWindow()).toBe(true)
  const handle = page.getByRole('separator', { name: 'Width of the inspector' })
  const { x = 0, y = 0 } = (await handle.boundingBox()) ?? {}
  const before = await widths()
  await page.mouse.move(x + 8, y + 100)
  await page.mouse.down()
  await page.mouse.move(x - 92, y + 100)
  await page.mouse.up()
  await expect.poll(widths).toEqual(before.map((width = 0, index) => width + (index === 0 ? -100 : 100)))
  await handle.press('ArrowRight')
  const resized = before.map((width = 0, index) => width + (index === 0 ? -76 : 76))
  await expect.poll(widths).toEqual(resized)
  await page.reload()
  await expect.poll(widths).toEqual(resized)
  await page.keyboard.press('i')
  await expect(inspector).toHaveCount(0)
  expect((await picture.boundingBox())?.width).toBeGreaterThan(1_100)
  await page.reload()
  await expect(picture).toBeVisible()
  await expect(inspector).toHaveCount(0)
  await page.getByRole('button', { name: 'Show the inspector' }).click()
  await expect.poll(widths).toEqual(resized)
  await expectAccessible(page)
})

test('the controls stay in the window while a banner says that the service does not respond', async ({
  page,
  context,
  service,
  tenant,
}) => {
  await watchShop(page, service, tenant)
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  const requests = /\/(_health|api\/)/
  await page.route(requests, (route) => route.abort())
  await context.setOffline(true)
  await context.setOffline(false)
  await expect(page.getByText('The service does not respond.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Full screen' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800)
})

test('follows a live recording: its new data arrives without a click, until following is stopped', async ({
  page,
  service,
  tenant,
}) => {
  const session = await watchShop(page, service, tenant, '?t=119')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '2:00 of 2:00')
  const heading = element('h1', {}, 'A minute later')
  const later = Date.now() - 7 * minute
  await sendSession(
    service,
    tenant,
    [...pageShown(later, { body: [heading] }), clicked(later + 1_000, heading.id)],
    { session },
  )
  await expect(recordedPage(page).getByText('A minute later')).toBeVisible({ timeout: 40_000 })
  const live = page.getByRole('button', { name: 'Live', exact: true })
  await expect(live).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  await live.click()
  await expect(page.getByRole('button', { name: 'Live, not followed' })).toBeVisible()
})

test(
  'plays the highlights of a recording, and shares them as a link',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await watchShop(page, service, tenant)
    await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
    await page.getByLabel('Highlights').selectOption('Highlights, 15 s')
    await expect(page.getByText(/^Highlights, 15 s, \d+ ×$/)).toBeVisible()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('s')
    await page.getByRole('menuitem', { name: 'Public link to the highlights in 15 s' }).click()
    await expect(page.getByText('Public link to the highlights in 15 s copied.')).toBeVisible()
    await page.keyboard.press('h')
    await expect(page.getByLabel('Highlights')).toHaveValue('0')
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\?highlights=15$/)
    await page.goto(link)
    await expect(page.getByLabel('Highlights')).toHaveValue('15')
    await expect(recordedPage(page).getByText('After half a minute')).toBeVisible()
    await expectAccessible(page)
  },
)
