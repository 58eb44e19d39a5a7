import { expect } from '@playwright/test'
import { RecordingCollection } from '../src/contract/recordings/recording-collection.ts'
import { EventType, consolePlugin } from '../src/replay/recorded/rrweb.ts'
import { RecordingLink } from '../src/contract/recordings/sharing.ts'
import { expectAccessible, signIn, test } from './journey.ts'
import { recordedPage } from './recorded-shop.ts'
import { element, logged, pageShown, requested, sendSession, textChanged } from './recorded-session.ts'

const second = 1000

test('shares a part of a recording from the dialog: with a password, hidden parts, and until the link is revoked', async ({
  page,
  context,
  browser,
  service,
  tenant,
}) => {
  const start = Date.now() - 600 * second
  const heading = element('h1', {}, 'The first heading')
  const address = element('p', { class: 'address' }, '1 Private Street')
  // The id of a text is one less than that of its element.
  const textId = heading.id - 1
  await sendSession(service, tenant, [
    ...pageShown(start, { body: [heading, address] }),
    textChanged(start + 20 * second, textId, 'The second heading'),
    {
      type: EventType.Plugin,
      timestamp: start + 25 * second,
      data: { plugin: consolePlugin, payload: { level: 'error', payload: ['"A private line"'], trace: [] } },
    },
    textChanged(start + 40 * second, textId, 'The third heading'),
  ])
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, service, tenant.api_key, `/recordings`)
  const row = page.getByRole('row').nth(1)
  await row.hover()
  await row.getByRole('button', { name: 'Share' }).click()
  const links = page.getByRole('dialog').getByRole('region', { name: 'More links' })
  await links.getByRole('button', { name: 'New link' }).click()
  await links.getByRole('button', { name: 'Settings' }).click()
  await links.getByLabel('Name').fill('For the shop team')
  await links.getByLabel('Start').fill('0:10')
  await links.getByLabel('End').fill('0:05')
  await expect(links.getByText('The end must be after the start.')).toBeVisible()
  await links.getByLabel('End').fill('0:30')
  await links.getByLabel('Elements').fill('.address')
  await links.getByLabel('Password').fill('lamp')
  await links.getByRole('button', { name: 'In 7 days' }).click()
  await expectAccessible(page)
  await links.getByRole('button', { name: 'Save' }).click()
  await expect(links.getByText('From 0:10 to 0:30 · The picture only · 1 hidden part')).toBeVisible()
  await links.getByRole('button', { name: 'Copy', exact: true }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())

  const stranger = await browser.newContext()
  const opened = await stranger.newPage()
  const sent: Promise<string>[] = []
  opened.on('response', (response) => {
    if (response.url().includes('/snapshots/')) sent.push(response.text())
  })
  await opened.goto(link)
  await opened.getByLabel('Password').fill('lamp')
  await opened.getByRole('button', { name: 'Watch' }).click()
  await expect(opened.getByRole('heading', { name: 'Shared recording' })).toBeVisible()
  await expect(opened.getByText('/ 0:20')).toBeVisible()
  // The part is not the whole recording.
  await expect(opened.getByRole('combobox', { name: 'Highlights' })).toContainText('Everything shared')
  await opened.getByRole('slider', { name: 'Playback position' }).press('End')
  await expect(recordedPage(opened).getByText('The second heading')).toBeVisible()
  await expect(recordedPage(opened).getByText('* ******* ******')).toBeVisible()
  await expectAccessible(opened)
  const bytes = (await Promise.all(sent)).join('\n')
  for (const hidden of ['Private Street', 'private line', 'third heading'])
    expect(bytes).not.toContain(hidden)

  await expect(links.getByRole('heading', { name: 'For the shop team' })).toBeVisible()
  await links.getByRole('button', { name: 'Revoke' }).click()
  await expect(links.getByText('For the shop team · Revoked')).toBeVisible()
  await opened.reload()
  await expect(opened.getByRole('heading', { name: 'This link was revoked' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(links.getByText('1 view')).toBeVisible()
  await opened.reload()
  await expect(opened.getByLabel('Password')).toBeVisible()
  await stranger.close()
})

test('a link that shows console and network lists their messages and requests beside the picture', async ({
  page,
  service,
  tenant,
}) => {
  const start = Date.now() - 600 * second
  const session = await sendSession(service, tenant, [
    ...pageShown(start, { body: [element('h1', {}, 'The shop')] }),
    logged(start + 20 * second, 'error', 'The lamp could not be lit'),
    requested(start + 30 * second, 'https://shop.example/api/cart?code=7', 500),
  ])
  const links = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/links/`
  const created = await fetch(links, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ shows: 'all' }),
  })
  const { access_token: token } = RecordingLink.parse(await created.json())
  // With reduced motion, the player does not start by itself.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${service.origin}/shared/${token}`)
  const list = page.getByRole('list', { name: 'Console and network' })
  await expect(list.getByRole('button')).toHaveText([
    /The lamp could not be lit$/,
    /POST \/api\/cart\?code=7 500/,
  ])
  await list.getByRole('button').first().press('Enter')
  await expect(page.getByRole('slider', { name: 'Playback position' })).toHaveValue('20000')
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expect(list.getByRole('button').first()).toBeInViewport()
  await expect(recordedPage(page).getByText('The shop')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

test('chooses the hidden elements of a link by click, and says what a typed selector matches', async ({
  page,
  service,
  tenant,
}) => {
  const address = element('p', { class: 'address' }, '1 Private Street')
  const body = [element('h1', {}, 'The shop'), address, element('p', {}, 'Lamps')]
  const start = Date.now() - 600 * second
  const session = await sendSession(service, tenant, [
    ...pageShown(start, { body }),
    textChanged(start + 300 * second, address.id - 1, '2 Private Street'),
  ])
  await signIn(page, service, tenant.api_key, `/recordings/${session}`)
  const shown = recordedPage(page).locator('.address')
  await expect(shown).toBeVisible()
  // While the menu names the moment, playback waits.
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('menuitem', { name: 'Sharing settings…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'New link' }).click()
  const links = dialog.getByRole('region', { name: 'More links' })
  await links.getByRole('button', { name: 'Settings' }).click()
  await links.getByRole('button', { name: 'Choose elements' }).click()
  const picture = links.locator('button > img')
  const { x, y, width } = await shown.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: left + 5, y: top + 5, width: innerWidth }
  })
  const scale = ((await picture.boundingBox())?.width ?? 0) / width
  await picture.click({ position: { x: x * scale, y: y * scale } })
  await expect(links.getByLabel('Elements')).toHaveValue('p.address')
  await expect(links.getByText('p.address matches 1 element at this moment.')).toBeVisible()
  await expectAccessible(page)
  await links.getByLabel('Elements').fill('p\n.total\n[[')
  for (const words of ['p matches 2 elements', '.total matches nothing', '[[ is not a CSS selector'])
    await expect(links.getByText(words)).toBeVisible()
  await links.getByLabel('Viewers see').selectOption('all')
  await expect(links.getByText('With hidden parts, viewers see the picture only')).toBeVisible()
})

test(
  'shares a collection as one page, whose recordings play one after the other by keyboard',
  { tag: '@slow' },
  async ({ page, context, browser, service, tenant }) => {
    const start = Date.now() - 600 * second
    const sessions = []
    for (const number of [1, 2]) {
      const heading = element('h1', {}, `Heading ${number}`)
      sessions.push(
        await sendSession(service, tenant, pageShown(start + number * second, { body: [heading] })),
      )
    }
    const url = `${service.origin}/api/projects/${tenant.project_id}/session_recording_playlists/`
    const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const { id } = RecordingCollection.parse(await (await post('', { name: 'For the designers' })).json())
    await post(`${id}/recordings/`, { ids: sessions })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, service, tenant.api_key, `/recordings/collections/${id}`)
    await page.getByRole('button', { name: 'Share', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Share “For the designers”' })
    await expect(dialog.getByText('This collection is not shared.')).toBeVisible()
    await dialog.getByRole('button', { name: 'New link' }).click()
    await dialog.getByRole('button', { name: 'Settings' }).click()
    await expect(dialog.getByLabel('Show the names of visitors')).not.toBeChecked()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())

    const stranger = await browser.newContext()
    const opened = await stranger.newPage()
    await opened.goto(link)
    await expect(opened.getByRole('heading', { name: 'For the designers' })).toBeVisible()
    const recordings = opened.getByRole('navigation', { name: 'Recordings' })
    await expect(recordings.getByRole('listitem')).toHaveCount(2)
    await expect(recordedPage(opened).getByText('Heading 2')).toBeVisible()
    await expectAccessible(opened)
    await opened.keyboard.press('n')
    await expect(recordedPage(opened).getByText('Heading 1')).toBeVisible()
    await expect(recordings.getByRole('button', { name: 'Next recording' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await opened.reload()
    await expect(recordedPage(opened).getByText('Heading 1')).toBeVisible()
    await opened.goto(opened.url().replace('?recording=', '?visit='))
    await expect(recordedPage(opened).getByText('Heading 1')).toBeVisible()
    await opened.setViewportSize({ width: 375, height: 700 })
    expect(await opened.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await fetch(`${url}${id}/recordings/${sessions[0]}/`, { method: 'DELETE', headers })
    await fetch(`${url}${id}/recordings/${sessions[1]}/`, { method: 'DELETE', headers })
    await opened.reload()
    await expect(opened.getByText('No recordings to show')).toBeVisible()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await expect(dialog.getByText('The newest 100 recordings · Revoked')).toBeVisible()
    await opened.reload()
    await expect(opened.getByRole('heading', { name: 'This link was revoked' })).toBeVisible()
    await stranger.close()
  },
)
