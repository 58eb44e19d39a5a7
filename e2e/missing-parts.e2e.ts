import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { EventType } from '../src/replay/recorded/rrweb.ts'
import { expectAccessible, signIn, test } from './journey.ts'
import { clicked, element, pageShown, sendSession, textChanged } from './recorded-session.ts'
import { minute, recordedPage, slider, visitToShop, apiOf } from './recorded-shop.ts'

test('the player explains a missing picture and a failed request, and recovers', async ({
  page,
  service,
  tenant,
}) => {
  const start = Date.now() - 10 * minute
  const session = await sendSession(service, tenant, [
    textChanged(start, 5, 'of an unknown page'),
    clicked(start + 1_000, 5),
  ])
  await signIn(page, service, tenant.api_key, `/recordings/${session}`)
  await expect(page.getByText('No picture', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await sendSession(service, tenant, visitToShop(start + 2_000), { session })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Go to 0:02' }).click()
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()

  await page.route(/source=blob_v2/, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('The service cannot be reached.').last()).toBeVisible()
  await page.unroute(/source=blob_v2/)
  await page.getByRole('button', { name: 'Retry' }).last().click()
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
})

test('the player names what a recording lacks, and shows no other moment instead', async ({
  page,
  service,
  tenant,
}) => {
  const start = Date.now() - 10 * minute
  const [first, second] = [element('h1', {}, 'The first page'), element('h1', {}, 'The second page')]
  const [opened] = pageShown(start + 40_000, { body: [], href: 'https://shop.example/cart' })
  if (!opened) throw new Error('a page starts with its size')
  const session = await sendSession(service, tenant, [
    clicked(start, 5),
    ...pageShown(start + 12_000, { body: [first] }),
    textChanged(start + 30_000, 987_654, 'in a node that was never recorded'),
    opened,
    clicked(start + 41_000, 5),
    ...pageShown(start + 52_000, { body: [second], href: 'https://shop.example/cart' }),
    clicked(start + 60_000, second.id),
  ])
  await signIn(page, service, tenant.api_key, `/recordings/${session}?t=1`)
  const lacking = page.getByRole('button', { name: '3 known gaps' })
  await expect(lacking).toBeVisible()
  await page.keyboard.press(' ')
  await page.keyboard.press('0')
  await expect(page.getByText('The first 12 s is missing.')).toBeVisible()
  await expect(page.frameLocator('iframe[title="The recorded page"]').locator('iframe:visible')).toHaveCount(
    0,
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go to 0:12' }).click()
  await expect(recordedPage(page).getByText('The first page')).toBeVisible()
  await page.keyboard.press('6')
  await expect(page.getByText('it may have looked different until 0:40')).toBeVisible()
  await page.keyboard.press('8')
  await expect(page.getByText('The page that opened at 0:40 is missing until 0:52.')).toBeVisible()
  await expect(page.frameLocator('iframe[title="The recorded page"]').locator('iframe:visible')).toHaveCount(
    0,
  )
  await lacking.click()
  const lacks = page.getByRole('listitem').filter({ hasText: 'Go to' })
  await expect(lacks).toHaveText([
    /The first 12 s is missing/,
    /Changes of the page are missing/,
    /The page that opened/,
  ])
  await expect(page.getByText('Recorders cannot see closed shadow roots')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go to 0:30' }).click()
  await expect(slider(page)).toHaveValue('30000')
  await expect(recordedPage(page).getByText('The first page')).toBeVisible()
  await slider(page).fill('52100')
  await expect(recordedPage(page).getByText('The second page')).toBeVisible()
})

test(
  'a shared link opens without a key, asks for its password, and stops working when sharing ends',
  { tag: '@slow' },
  async ({ browser, service, tenant }) => {
    const session = await sendSession(service, tenant, visitToShop(Date.now() - 10 * minute))
    const api = apiOf(service, tenant, session)
    const { json: sharing } = await api('PATCH', 'sharing/', { enabled: true })
    const token = String(sharing['access_token'])
    const context = await browser.newContext()
    const page = await context.newPage()
    const keys: string[] = []
    page.on('request', (request) => {
      if (request.headers()['authorization']) keys.push(request.url())
    })
    await page.goto(`${service.origin}/shared/${token}?t=36`)
    await expect(recordedPage(page).getByText('After half a minute')).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 700 })
    await expect(page.getByRole('button', { name: 'Full screen' })).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await page.goto(`${service.origin}/embedded/${token}`)
    await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<iframe src="${service.origin}/embedded/${token}" width="800" height="540"></iframe>`)
    })
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    const embedded = page.frameLocator('iframe').frameLocator('iframe[title="The recorded page"]')
    await expect(embedded.frameLocator('iframe:visible').getByText('At the beginning')).toBeVisible()
    site.close()

    await api('PATCH', 'sharing/', { password: 'lämpchen' })
    await page.goto(`${service.origin}/shared/${token}`)
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Wrong password.')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Password').fill('lämpchen')
    await page.keyboard.press('Enter')
    await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()

    await api('PATCH', 'sharing/', { enabled: false })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'This link was revoked' })).toBeVisible()
    await expectAccessible(page)
    expect(keys).toEqual([])
    await context.close()
  },
)

test('a shared and an embedded recording name what they lack, like the dashboard', async ({
  page,
  service,
  tenant,
}) => {
  const start = Date.now() - 10 * minute
  const heading = element('h1', {}, 'The only page')
  const shown = [...pageShown(start, { body: [heading] }), clicked(start + 2_000, heading.id)]
  const damaged = { type: EventType.IncrementalSnapshot, timestamp: start, data: null }
  const session = await sendSession(service, tenant, [...shown, damaged, clicked(start + 60_000, heading.id)])
  const batch = [1, 2, 30].map((second) => ({
    event: '$autocapture',
    distinct_id: 'ada',
    timestamp: new Date(start + second * 1000).toISOString(),
    properties: { $session_id: session },
  }))
  await fetch(`${service.origin}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: tenant.project_token, batch }),
  })
  const api = apiOf(service, tenant, session)
  const events = async () => ((await api('GET', 'events/')).json['results'] as unknown[]).length
  await expect.poll(events).toBe(batch.length)
  const { json: sharing } = await api('PATCH', 'sharing/', { enabled: true })
  const token = String(sharing['access_token'])
  for (const path of [`shared/${token}`, `embedded/${token}`]) {
    await page.goto(`${service.origin}/${path}`)
    await page.getByRole('button', { name: '2 known gaps' }).click()
    await expect(page.getByRole('listitem')).toHaveText([
      /Nothing was recorded for 58 s, although the visitor was active/,
      '1 event arrived damaged and could not be stored.',
    ])
  }
})
