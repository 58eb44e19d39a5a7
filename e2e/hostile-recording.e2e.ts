import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Request } from '@playwright/test'
import { RecordedAssets } from '../src/contract/recordings/recorded-asset.ts'
import { EventType, IncrementalSource, NodeType, moveSources } from '../src/replay/recorded/rrweb.ts'
import { signIn, test } from './journey.ts'
import { clicked, element, pageShown, sendSession } from './recorded-session.ts'
import { openPicture, savePicture } from './saved-picture.ts'
import { minute, recordedPage, slider, visitToShop, apiOf } from './recorded-shop.ts'

/** Returns nodes whose attributes run the script `steal` or load from the address `evil`. */
function hostileNodes(evil: string, steal: string) {
  const isolated = { type: 'text/html', src: `javascript:${steal}` }
  return [
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
}

function hostileHead(evil: string) {
  return [
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
}

/** Returns the events of a recording that tries to load from `evil` and to run `steal`, at once and later. */
function hostileEvents(start: number, evil: string, steal: string) {
  const { Mutation, StyleSheetRule, StyleDeclaration, AdoptedStyleSheet } = IncrementalSource
  const [sheet, image, frame] = [
    element('style', { _cssText: 'p { margin: 0 }' }),
    element('img'),
    element('iframe'),
  ]
  const body = element('div', {}, sheet, image, frame, ...hostileNodes(evil, steal))
  const adds = hostileNodes(evil, steal).map((node) => ({ parentId: body.id, nextId: null, node }))
  return [
    ...pageShown(start, { head: hostileHead(evil), body: [body] }),
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
  const events = hostileEvents(Date.now() - 10 * minute, evil, steal)
  const external: string[] = []
  const note = (request: Request) => {
    // The player's policy blocked the request.
    if (request.failure()?.errorText === 'csp') return
    const own = [service.origin, service.contentOrigin]
    if (!/^(data|blob):/.test(request.url()) && !own.includes(new URL(request.url()).origin))
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

test('neither the player’s frame, a recording in it nor the demo shop reaches the session, the key or the API', async ({
  page,
  context,
  service,
  tenant,
}) => {
  const cookies: Promise<string | undefined>[] = []
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== service.origin)
      cookies.push(request.allHeaders().then((headers) => headers['cookie']))
  })
  const heading = element('h1', {}, 'The shop')
  const session = await sendSession(service, tenant, pageShown(Date.now() - 10 * minute, { body: [heading] }))
  await signIn(page, service, tenant.api_key, `/recordings/${session}`)
  await expect(recordedPage(page).getByText('The shop')).toBeVisible()
  const player = page.getByTitle('The recorded page').contentFrame().locator(':root')
  const recorded = recordedPage(page).locator(':root')
  const me = `${service.origin}/api/users/@me/`
  // The dashboard itself is signed in, by a cookie that no script reads.
  expect(await page.locator(':root').evaluate(reach, me)).toMatchObject({ cookie: '', requests: [200, 200] })
  const reached = { origin: service.contentOrigin, cookie: '', keys: [], top: false, requests: [null, null] }
  for (const root of [player, recorded]) expect(await root.evaluate(reach, me)).toEqual(reached)
  // Someone who is signed in here gets the shop at the other origin, and from there back to the visit.
  await page.goto(`${service.origin}/demo/`)
  expect(new URL(page.url()).origin).toBe(service.contentOrigin)
  const found = await page.locator(':root').evaluate(reach, me)
  expect(found).toMatchObject({ origin: service.contentOrigin, requests: [null, null] })
  expect(JSON.stringify(found)).not.toMatch(/spool\.key|spool_session/)
  await expect(page.getByRole('link', { name: 'See your visit' })).toHaveAttribute(
    'href',
    new RegExp(`^//${new URL(service.origin).host}/recordings/`),
  )
  expect(cookies.length).toBeGreaterThan(5)
  expect((await Promise.all(cookies)).join()).not.toContain('spool_session')
})

/** What a script of a document finds, and the responses to its requests to a URL and to the same path of its own host. Runs in the browser. */
async function reach({ ownerDocument }: Element, url: string) {
  const view = ownerDocument.defaultView
  if (!view) throw new Error('the document has no window')
  const send = (address: string) =>
    view.fetch(address, { credentials: 'include' }).then(
      ({ status }) => status,
      () => null,
    )
  const readsTop = () => {
    try {
      return view.top?.document !== undefined && view.top !== view
    } catch {
      return false
    }
  }
  const { origin } = view as unknown as { origin: string }
  return {
    origin,
    cookie: ownerDocument.cookie,
    keys: [...Object.keys(view.localStorage), ...Object.keys(view.sessionStorage)],
    top: readsTop(),
    requests: [await send(url), await send(new URL(new URL(url).pathname, origin).href)],
  }
}

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
