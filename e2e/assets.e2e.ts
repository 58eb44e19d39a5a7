import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { readConfig } from '../src/service/config.ts'
import { openObjectsFolder } from '../src/service/engines/objects/objects-folder.ts'
import { assetKey } from '../src/service/recordings/assets/asset-key.ts'
import { withAdminStore } from '../src/service/store/accounts/admin-store.ts'
import { isRecording } from './is-recording.ts'
import { signIn, test, type Tenant } from './journey.ts'
import { recordedPage } from './recorded-shop.ts'
import { clicked, element, pageShown, sendSession } from './recorded-session.ts'
import type { RunningService } from './service.ts'

const cdn = 'https://cdn.shop.example'
const lamp = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><symbol id="icon"><rect width="30" height="30"/></symbol></svg>`

/** A page whose images, font and one style sheet are elsewhere. */
function visitToShop(start: number) {
  const text = element('h1', { style: 'font-family: Lamps' }, 'Lamps')
  const head = [
    element('style', { _cssText: `@font-face { font-family: Lamps; src: url("${cdn}/lamps.woff2") }` }),
    element('link', { rel: 'stylesheet', href: `${cdn}/site.css`, crossorigin: 'anonymous' }),
  ]
  const body = [
    text,
    element('img', { id: 'sized', src: `${cdn}/lamp.svg`, alt: 'A brass lamp', width: '300', height: '200' }),
    element('img', { id: 'plain', src: `${cdn}/lamp.svg`, srcset: `${cdn}/large.svg 1x`, alt: '' }),
    element('div', { id: 'back', style: `background: url(${cdn}/lamp.svg); height: 10px` }),
    { ...element('svg', { width: '30', height: '30' }, sprite()), isSVG: true },
  ]
  return [...pageShown(start, { head, body }), clicked(start + 1_000, text.id)]
}

function sprite() {
  return { ...element('use', { id: 'sprite', href: `${cdn}/lamp.svg#icon` }), isSVG: true }
}

/** Stores files as if the vault had fetched them; the service refuses to resolve these hosts. */
async function storeFiles(
  { dataDirectory }: RunningService,
  { project_id }: Tenant,
  files: Record<string, [type: string, content: string | Buffer]>,
): Promise<void> {
  const objects = await openObjectsFolder(join(dataDirectory, 'objects'))
  await withAdminStore(readConfig({ SPOOL_DATA_DIR: dataDirectory }), async (store) => {
    for (const [path, [content_type, content]] of Object.entries(files)) {
      const bytes = Buffer.from(content)
      const hash = createHash('sha256').update(bytes).digest()
      await objects.put(assetKey(project_id, hash), bytes)
      await store
        .insertInto('recorded_assets')
        .values({ project_id, hash, content_type, bytes: bytes.length })
        .execute()
      await store
        .updateTable('session_recording_assets')
        .set({ hash, reason: null, fetched_at: new Date() })
        .where('project_id', '=', project_id)
        .where('url', '=', cdn + path)
        .execute()
    }
  })
}

/** Makes all files but one pending, as if the vault were fetching them. */
async function keepWaiting({ dataDirectory }: RunningService, { project_id }: Tenant): Promise<void> {
  await withAdminStore(readConfig({ SPOOL_DATA_DIR: dataDirectory }), async (store) => {
    await store
      .updateTable('session_recording_assets')
      .set({ reason: null, fetched_at: null, claimed_until: new Date(Date.now() + 600_000) })
      .where('project_id', '=', project_id)
      .where('url', '!=', `${cdn}/large.svg`)
      .execute()
  })
}

test(
  'a recording shows the stored copies of its files, also on a shared link, and keeps the place of missing ones',
  { tag: '@slow' },
  async ({ page, browser, service, tenant }) => {
    const session = await sendSession(service, tenant, visitToShop(Date.now() - 600_000))
    const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/`
    const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
    const found = async () => {
      const { results, pending } = await (await fetch(`${url}assets/`, { headers })).json()
      return [results.length, pending]
    }
    await expect.poll(found).toEqual([4, 0])

    await signIn(page, service, tenant.api_key, `/recordings/${session}`)
    const shown = recordedPage(page)
    await expect(page.getByText('2 images, 1 font, 1 style sheet not available.')).toBeVisible()
    await expect(page.getByRole('button', { name: '1 known gap' })).toBeVisible()
    await keepWaiting(service, tenant)
    await page.reload()
    const sized = shown.getByRole('img', { name: 'A brass lamp', includeHidden: true })
    expect(await sized.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])).toEqual([
      300, 200,
    ])

    await storeFiles(service, tenant, {
      '/lamp.svg': ['image/svg+xml', lamp],
      '/site.css': ['text/css; charset=utf-8', 'h1 { color: rgb(1, 2, 3) }'],
      '/lamps.woff2': [
        'font/woff2',
        await readFile('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
      ],
    })
    const sharing = await fetch(`${url}sharing/`, { method: 'PATCH', headers, body: '{"enabled":true}' })
    const { access_token: token } = await sharing.json()
    const visitor = await (await browser.newContext()).newPage()
    const others: string[] = []
    visitor.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (![service.origin, service.contentOrigin].includes(origin) && !/^(data|blob):/.test(protocol))
        others.push(request.url())
    })
    await visitor.goto(`${service.origin}/shared/${token}`)
    // The files also appear on a page that is already open.
    for (const viewer of [page, visitor]) {
      const replayed = recordedPage(viewer)
      await expect(viewer.getByText('1 image not available.', { exact: true })).toBeVisible()
      await expect(replayed.getByText('Lamps')).toHaveCSS('color', 'rgb(1, 2, 3)')
      for (const id of ['sized', 'plain'])
        await expect
          .poll(() => replayed.locator(`#${id}`).evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBe(60)
      await expect(replayed.locator('#back')).toHaveCSS('background-image', /recorded-assets/)
      await expect
        .poll(() => replayed.locator('#sprite').evaluate((use: SVGUseElement) => use.getBBox().width))
        .toBe(30)
      await expect
        .poll(() =>
          replayed
            .locator('h1')
            .evaluate(({ ownerDocument: { fonts } }) => [...fonts].map((font) => font.status)),
        )
        .toEqual(['loaded'])
    }
    expect(others).toEqual([])
    await visitor.context().close()
  },
)

test('the vault fetches an image of a page that posthog-js records, and the recording shows it, also on a shared link', async ({
  page,
  browser,
  service,
}) => {
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`${service.origin}/demo/account.html`)
  await visitor.waitForFunction(isRecording)
  await visitor.getByLabel('E-mail').pressSequentially('noor@example.com')
  const session = await visitor.evaluate(() =>
    (window as unknown as { posthog: { get_session_id(): string } }).posthog.get_session_id(),
  )
  await visitor.goto('about:blank')

  const key = new URL(service.signInUrl).hash.replace('#key=', '')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = `${service.origin}/api/projects/1/session_recordings/${session}/`
  const image = `${service.origin}/demo/workshop.svg`
  const fetched = async () => (await fetch(`${url}assets/`, { headers })).json()
  await expect
    .poll(fetched, { timeout: 30_000 })
    .toMatchObject({ results: [{ url: image, content_type: 'image/svg+xml', reason: null }], pending: 0 })

  const sharing = await fetch(`${url}sharing/`, { method: 'PATCH', headers, body: '{"enabled":true}' })
  const { access_token: token } = await sharing.json()
  await signIn(page, service, key, `/recordings/${session}`)
  await visitor.goto(`${service.origin}/shared/${token}`)
  for (const viewer of [page, visitor]) {
    const shown = recordedPage(viewer).getByRole('img', { name: 'The workshop', includeHidden: true })
    await expect(shown).toHaveAttribute('src', /\/recorded-assets\//)
    await expect.poll(() => shown.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)).toBe(320)
    await expect(viewer.getByText('not available')).toHaveCount(0)
  }
  await visitor.context().close()
})
