import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type FrameLocator, type Page, type Request } from '@playwright/test'
import { RecordedAssets } from '../src/contract/recordings/recorded-asset.ts'
import { EventType, IncrementalSource, NodeType, moveSources } from '../src/replay/recorded/rrweb.ts'
import { expectAccessible, signIn, test, type Tenant } from './journey.ts'
import {
  clicked,
  element,
  logged,
  packed,
  pageShown,
  requested,
  sendSession,
  textChanged,
  type RecordedEvent,
} from './recorded-session.ts'
import { openPicture, savePicture } from './saved-picture.ts'
import type { RunningService } from './service.ts'

const minute = 60_000

/** Locates the replayed page. */
function recordedPage(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="The recorded page"]').frameLocator('iframe:visible')
}

function slider(page: Page) {
  return page.getByRole('slider', { name: 'Playback position' })
}

/** Two minutes in a lamp shop, half of them idle; each text says when it is shown. */
function visitToShop(start: number): RecordedEvent[] {
  const heading = element('h1', {}, 'At the beginning')
  const text = textIn(heading)
  const [meta, snapshot] = pageShown(start, {
    head: [element('style', {}, 'h1 { color: rgb(0, 128, 0) }')],
    body: [heading, element('button', {}, 'Buy')],
  })
  if (!meta || !snapshot) throw new Error('a page starts with its size and its snapshot')
  const busy = Array.from({ length: 12 }, (_, index) => clicked(start + 2_000 + index * 4_000, heading.id))
  return [
    meta,
    packed(snapshot),
    ...busy,
    logged(start + 10_000, 'error', 'The lamp could not be lit'),
    requested(start + 20_000, 'https://shop.example/api/cart', 500),
    textChanged(start + 30_000, text, 'After half a minute'),
    clicked(start + 118_000, heading.id),
    textChanged(start + 2 * minute, text, 'At the end'),
  ]
}

function textIn(node: object): number {
  const [text] = (node as { childNodes: { id: number }[] }).childNodes
  if (!text) throw new Error('the element has no text')
  return text.id
}

async function watchShop(page: Page, service: RunningService, tenant: Tenant, search = '') {
  const session = await sendSession(service, tenant, visitToShop(Date.now() - 10 * minute))
  await signIn(page, service, tenant.api_key, `/recordings/${session}${search}`)
  return session
}

async function makeKey(service: RunningService, tenant: Tenant, scopes: string): Promise<string> {
  const of = ['--organization', tenant.organization_id, '--label', 'Other', '--scopes', scopes]
  return (await service.admin<{ api_key: string }>('key', 'create', ...of)).api_key
}

function apiOf(service: RunningService, tenant: Tenant, session: string) {
  const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/`
  return async (method: string, path = '', body?: object) => {
    const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
  }
}

test('a hostile recording runs nothing, loads nothing and navigates nowhere, nor does a picture of it', async ({
  browser,
  page,
  service,
  tenant,
}) => {
  const hits: string[] = []
  const sink = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((listening) => sink.listen(0, '127.0.0.1', listening))
  const evil = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
  const steal = `top.stolen = top.sessionStorage.length; fetch('${evil}/run'); top.location = '${evil}/top'`
  const isolated = { type: 'text/html', src: `javascript:${steal}` }
  const hostile = () => [
    element('script', {}, steal),
    element('script', { src: `${evil}/script.js` }),
    element('img', { src: `${evil}/image.png`, srcset: `${evil}/set.png 2x`, onerror: steal, onload: steal }),
    element('img', { src: 'data:image/png;base64,broken', onerror: steal }),
    element('iframe', { src: `${evil}/frame` }),
    element('iframe', { src: `javascript:${steal}` }),
    element('iframe', { srcdoc: `<script>${steal}</script><img src="${evil}/srcdoc.png">` }),
    element('object', { data: `${evil}/object`, ...isolated }),
    element('embed', isolated),
    element(
      'picture',
      {},
      element('source', { srcset: `data:image/png;base64,A,A 1x, ${evil}/source.png 2x` }),
      element('img', { src: `//${evil.slice(7)}/picture.png`, crossorigin: 'anonymous' }),
    ),
    element('table', { background: `${evil}/table.png` }),
    element('input', { type: 'image', src: `\n${evil}/input.png` }),
    element('audio', { src: `${evil}/audio.mp3` }, element('track', { src: `${evil}/track.vtt` })),
    element('video', { src: `${evil}/video.mp4`, poster: `${evil}/poster.png`, autoplay: true }),
    element(
      'svg',
      { onload: steal },
      element('image', { href: `${evil}/svg.png`, 'xlink:href': `${evil}/x.png` }),
      element('use', { href: `${evil}/sprite.svg#icon` }),
      element('feImage', { href: `${evil}/filter.svg` }),
    ),
    element(
      'form',
      { action: `${evil}/form` },
      element('button', { formaction: `javascript:${steal}` }, 'Send'),
    ),
    element('a', { href: `javascript:${steal}`, id: 'way' }, 'A way out'),
    element('a', { href: `${evil}/link`, ping: `${evil}/ping`, target: '_top' }, 'Another way out'),
    element(
      'p',
      { style: `background: url(${evil}/style.png)`, onmouseover: steal, onfocus: steal },
      'Hostile',
    ),
    ...[
      `background: \\75rl(${evil}/escaped.png)`,
      `background: image-set("${evil}/set.png" 1x)`,
      `background: URL( '${evil}/quoted.png' ); cursor: url(${evil}/cursor.png), auto`,
      `list-style: url("${evil}/a\nb.png"); background: url(${evil}/open.png`,
    ].map((style) => element('p', { style })),
  ]
  const head = [
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${evil}/refresh` }),
    element('base', { href: evil }),
    element('link', { rel: 'stylesheet', href: `${evil}/sheet.css` }),
    element('link', { rel: 'stylesheet', href: `${evil}/late.css`, media: 'print', integrity: 'sha256-x' }),
    element('link', { rel: 'icon', href: `${evil}/favicon.ico` }),
    element('link', { rel: 'preload', as: 'image', imagesrcset: `${evil}/preload.png` }),
    element('link', { rel: 'preconnect', href: evil }),
    element('link', { rel: 'prefetch', href: `${evil}/prefetch` }),
    element(
      'style',
      {},
      `@import url(${evil}/import.css); @font-face { font-family: x; src: url(${evil}/font) }`,
    ),
    element('style', { _cssText: `body { font-family: x; background: url(${evil}/css.png) }` }),
  ]
  const start = Date.now() - 10 * minute
  const { Mutation, StyleSheetRule, StyleDeclaration, AdoptedStyleSheet } = IncrementalSource
  const [sheet, image, frame] = [
    element('style', { _cssText: 'p { margin: 0 }' }),
    element('img'),
    element('iframe'),
  ]
  const body = element('div', {}, sheet, image, frame, ...hostile())
  const adds = hostile().map((node) => ({ parentId: body.id, nextId: null, node }))
  const events = [
    ...pageShown(start, { head, body: [body] }),
    {
      type: EventType.IncrementalSnapshot,
      timestamp: start + 500,
      data: { source: IncrementalSource.Mutation, texts: [], removes: [], adds, attributes: [] },
    },
    clicked(start + 1_000, body.id),
    {
      type: EventType.IncrementalSnapshot,
      timestamp: start + 1_200,
      data: { source: IncrementalSource.CanvasMutation, id: body.id, type: 0, property: 'x', args: [steal] },
    },
    {
      type: EventType.IncrementalSnapshot,
      timestamp: start + 1_300,
      data: { source: IncrementalSource.Font, family: 'y', fontSource: `url(${evil}/face)` },
    },
    ...[
      {
        source: Mutation,
        attributes: [{ id: body.id, attributes: { style: { background: `url(${evil}/late)` } } }],
      },
      {
        source: Mutation,
        attributes: [
          { id: image.id, attributes: { src: `${evil}/late.png`, srcset: `${evil}/late.png 2x` } },
        ],
      },
      { source: Mutation, attributes: [{ id: frame.id, attributes: { src: `${evil}/late.html` } }] },
      { source: StyleSheetRule, id: sheet.id, adds: [{ rule: `p { background: url(${evil}/rule.png) }` }] },
      {
        source: StyleDeclaration,
        id: sheet.id,
        index: [0],
        set: { property: 'background', value: `url(${evil}/set)` },
      },
      {
        source: AdoptedStyleSheet,
        id: 1,
        styleIds: [1],
        styles: [{ styleId: 1, rules: [{ rule: `h1 { background: url(${evil}/adopted.png) }` }] }],
      },
    ].map((data, index) => ({
      type: EventType.IncrementalSnapshot,
      timestamp: start + 1_400 + index,
      data,
    })),
    clicked(start + 3_000, body.id),
  ]
  const external: string[] = []
  const note = (request: Request) => {
    // The player's policy blocked the request.
    if (request.failure()?.errorText === 'csp') return
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.origin)
      external.push(request.url())
  }
  page.on('requestfinished', note)
  page.on('requestfailed', note)
  const session = await sendSession(service, tenant, events)
  await signIn(page, service, tenant.api_key, `/recordings/${session}`)
  await expect(recordedPage(page).getByText('Hostile')).toBeVisible()
  await expect(recordedPage(page).locator('form')).toHaveCount(2)
  await expect(slider(page)).toHaveValue('3000')
  await expect(page.getByText(/^\d+ images, 3 style sheets not available\.$/)).toBeVisible()
  // Neither the mouse nor the keyboard reaches the replayed page.
  const { x, y, width, height } = (await page.getByTitle('The recorded page').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  for (let step = 1; step < 10; step += 1) await page.mouse.click(x + width / 4, y + (height * step) / 10)
  for (let step = 0; step < 40; step += 1) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('IFRAME')
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
  expect(page.url()).toContain(`/recordings/${session}`)
  // The service, which looks for files to fetch, does not contact them either.
  const api = apiOf(service, tenant, session)
  const assets = async () => {
    const { json } = await api('GET', 'assets/')
    const { results, pending } = RecordedAssets.parse(json)
    return {
      isSearched: results.length > 0 && pending === 0,
      stored: results.filter(({ path }) => path !== null),
    }
  }
  await expect.poll(assets, { timeout: 30_000 }).toEqual({ isSearched: true, stored: [] })
  const picture = await openPicture(browser, await savePicture(page), { width: 1024, height: 768 })
  expect(picture).toMatchObject({ requested: [], hasScripts: false })
  expect({ hits, external }).toEqual({ hits: [], external: [] })
  const sandboxes = await page
    .frame({ url: /player\.html/ })
    ?.evaluate(() => Array.from(document.querySelectorAll('iframe'), (frame) => frame.sandbox.value))
  expect(sandboxes).toEqual(['allow-same-origin'])
  sink.close()
})

test('the player skips invalid events and reports them', async ({ page, service, tenant }) => {
  const { Mutation, Font } = IncrementalSource
  const otherSources = Object.values(IncrementalSource).filter(
    (source) => source !== Mutation && source !== Font && !moveSources.has(source),
  )
  const start = Date.now() - 10 * minute
  const broken = [
    {
      source: IncrementalSource.Mutation,
      texts: [{ id: 'x' }, null],
      adds: [{ node: { type: NodeType.Element } }, { parentId: 1, node: null }],
      removes: [7],
    },
    { source: IncrementalSource.Mutation, attributes: [{ id: 1e9, attributes: { style: 7 } }] },
    ...[...moveSources].map((source) => ({ source, positions: [null, { x: 'far' }] })),
    ...[...otherSources, 99].map((source) => ({ source, id: 'none' })),
    { source: IncrementalSource.StyleSheetRule, id: 3, adds: [{ rule: '}{' }, null], removes: 'all' },
    { source: IncrementalSource.ViewportResize, width: -1, height: 'tall' },
  ].map((data, index) => ({
    type: EventType.IncrementalSnapshot,
    timestamp: start + 3_000 + index * 100,
    data,
  }))
  const session = await sendSession(service, tenant, [
    { type: EventType.FullSnapshot, timestamp: start - 1, data: {} },
    ...visitToShop(start),
    ...broken,
    { type: 20, timestamp: start + 4_000, data: {} },
  ])
  await signIn(page, service, tenant.api_key, `/recordings/${session}`)
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  await expect(page.getByText('6 events could not be read and were skipped.')).toBeVisible()
  await page.keyboard.press('5')
  await expect(recordedPage(page).getByText('After half a minute')).toBeVisible()
  await page.keyboard.press('0')
  await expect(recordedPage(page).getByText('At the beginning')).toBeVisible()
  await expect.poll(async () => Number(await slider(page).inputValue())).toBeGreaterThan(6_000)
  await expect(page.getByText('A part of this recording could not be rendered.')).toBeVisible()
  await slider(page).press('End')
  await expect(recordedPage(page).getByText('At the end')).toBeVisible()
})

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

test('the player shows which of two windows is in use', async ({ page, service, tenant }) => {
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
})

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

test('a shared link opens without a key, asks for its password, and stops working when sharing ends', async ({
  browser,
  service,
  tenant,
}) => {
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
})

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

test('plays the highlights of a recording, and shares them as a link', async ({ page, service, tenant }) => {
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
})
