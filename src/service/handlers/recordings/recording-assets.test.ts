import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { insertAsset, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

const png = { content: Buffer.from('\x89PNG\r\n\x1a\n lamp', 'latin1'), content_type: 'image/png' }
const svg = {
  content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  content_type: 'image/svg+xml',
}
const lamp = 'https://cdn.example/lamp.png'

let service: TestService
let recording: RecordingRow

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.clock.set('2026-03-04T10:31:00Z')
  recording = await insertRecording(service)
})

const pathOf = ({ project_id, session_id } = recording) =>
  `/api/projects/${project_id}/session_recordings/${session_id}/`

async function list(search = '', headers = {}, key?: string): Promise<RecordedAssets> {
  const options = key === undefined ? { headers } : { headers, key }
  return bodyOf(RecordedAssets, await service.request('GET', `${pathOf()}assets/${search}`, options))
}

async function pathOfLamp(): Promise<string> {
  const { results } = await list()
  return results.find(({ url }) => url === lamp)?.path ?? ''
}

const serve = (path: string, headers = {}) => service.server.inject({ url: path, headers })

test('GET /api/projects/:project_id/session_recordings/:id/assets/ returns 200 with stored, missing and pending files', async () => {
  expect(await list()).toEqual({ results: [], missing: [], pending: 0, expires_at: '2026-03-04T10:40:00Z' })
  const other = await insertRecording(service)
  await insertAsset(service, other, png, { url: 'https://cdn.example/other.png' })
  await insertAsset(service, recording, png, { url: lamp })
  const missing = { hash: null, reason: 'The host is unknown.' }
  await insertAsset(service, recording, png, { url: 'https://gone.example/', ...missing })
  const pending = { hash: null, fetched_at: null }
  await insertAsset(service, recording, png, { url: 'https://later.example/', ...pending })
  expect(await list()).toEqual({
    results: [
      {
        url: lamp,
        path: expect.stringMatching(/^\/recorded-assets\//),
        content_type: 'image/png',
        reason: null,
      },
      { url: 'https://gone.example/', path: null, content_type: null, reason: 'The host is unknown.' },
    ],
    missing: [{ reason: 'The host is unknown.', count: 1 }],
    pending: 1,
    expires_at: '2026-03-04T10:40:00Z',
  })
})

test('a shared link lists the files too, with its password', async () => {
  await insertAsset(service, recording, png, { url: lamp })
  const body = { enabled: true, password: 'secret' }
  const shared = await service.request('PATCH', `${pathOf()}sharing/`, { body })
  const search = `?sharing_access_token=${bodyOf(SharingConfiguration, shared).access_token}`
  const refused = await service.request('GET', `${pathOf()}assets/${search}`, { key: '' })
  expect([refused.status, problemOf(refused).code]).toEqual([403, 'password_required'])
  const { results } = await list(search, { 'x-sharing-password': 'secret' }, '')
  expect((await serve(results[0]?.path ?? '')).statusCode).toBe(200)
})

test('a signed path serves the file without a key, to scripts of its own origin alone, and lets browsers cache it until it expires', async () => {
  await insertAsset(service, recording, png, { url: lamp })
  const path = await pathOfLamp()
  const response = await serve(path)
  expect([response.statusCode, response.rawPayload]).toEqual([200, png.content])
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': 'http://localhost:80',
    'cache-control': 'private, max-age=540, immutable',
  })
  const again = await serve(path, { 'if-none-match': String(response.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  service.clock.advance(60_000)
  expect(await pathOfLamp()).toBe(path)
})

test('an expired path is refused with 403, in plain words', async () => {
  await insertAsset(service, recording, png, { url: lamp })
  const path = await pathOfLamp()
  service.clock.set('2026-03-04T10:40:00Z')
  const response = await serve(path)
  expect([response.statusCode, response.headers['cache-control']]).toEqual([403, 'no-store'])
  expect(response.json()).toMatchObject({
    detail: "This address has expired. Request the recording's list of assets again.",
  })
})

test('a path opens one file of one recording, and a changed path opens none', async () => {
  const id = await insertAsset(service, recording, png, { url: lamp })
  const path = await pathOfLamp()
  const foreign = await insertRecording(service, { project_id: service.other.project_id })
  const foreignId = await insertAsset(service, foreign, png, { url: lamp })
  const changed = [
    path.replace(`/${id}.`, `/${foreignId}.`),
    path.replace(/\.\d+\./, '.99999999999999.'),
    path.slice(0, -1),
    `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
    `${path}x`,
    '/recorded-assets/%00',
    '/recorded-assets/1.2.3',
    '/recorded-assets/',
  ]
  for (const given of changed) expect((await serve(given)).statusCode, given).toBe(404)
})

test('a path opens nothing after its recording is deleted', async () => {
  await insertAsset(service, recording, png, { url: lamp })
  const path = await pathOfLamp()
  await service.request('DELETE', pathOf())
  expect((await serve(path)).statusCode).toBe(404)
})

test('an SVG is served so that nothing in it can run or load', async () => {
  await insertAsset(service, recording, svg, { url: lamp })
  const { headers } = await serve(await pathOfLamp())
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
  })
})

test('a style sheet shows the replayed focus and not the viewer’s contrast, like recorded CSS', async () => {
  const content = ':root{color-scheme:light dark}a:focus{top:0}@media (prefers-contrast:more){a{top:1px}}'
  await insertAsset(service, recording, { content, content_type: 'text/css; charset=utf-8' }, { url: lamp })
  const { body } = await serve(await pathOfLamp())
  expect(body).toBe(
    ':root{color-scheme:light dark}a[data-replayed-focus]{top:0}@media (max-width: 0){a{top:1px}}',
  )
})

test('a style sheet shows the visitor’s contrast, and so do those that it imports', async () => {
  const content = '@import "base.css";@media (prefers-contrast:more){a{top:1px}}'
  const content_type = 'text/css; charset=utf-8'
  await insertAsset(service, recording, { content, content_type }, { url: lamp })
  const base = { url: 'https://cdn.example/base.css', depth: 1 }
  await insertAsset(service, recording, { content: 'b{}', content_type }, base)
  const shown = async (query: string) => (await serve((await pathOfLamp()) + query)).body
  expect(await shown('?contrast=more')).toMatch(
    /^@import url\("[^"?]+\?contrast=more"\);@media \(min-width: 0\){a{top:1px}}$/,
  )
  for (const query of ['?contrast=less"', '?contrast=more&contrast=less', ''])
    expect(await shown(query)).toMatch(/^@import url\("[^"?]+"\);@media \(max-width: 0\){a{top:1px}}$/)
})

test('the references in a style sheet become signed paths that expire with it; missing files become empty', async () => {
  const css = `@import "base.css";.a{background:url(../lamp.png);fill:url(#p);cursor:url(data:,);src:url(gone.woff#x)}
    ${'/* long */'.repeat(200)}`
  const url = 'https://cdn.example/v1/shop.css'
  const final_url = 'https://cdn.example/v2/shop.css'
  await insertAsset(
    service,
    recording,
    { content: css, content_type: 'text/css; charset=utf-8' },
    { url, final_url },
  )
  await insertAsset(service, recording, png, { url: lamp, depth: 1 })
  const { content_type } = { content_type: 'text/css; charset=utf-8' }
  await insertAsset(
    service,
    recording,
    { content: 'b{}', content_type },
    { url: 'https://cdn.example/v2/base.css' },
  )
  const { results } = await list()
  const paths = Object.fromEntries(results.map((asset) => [asset.url, asset.path]))
  service.clock.advance(240_000)
  const { headers, rawPayload } = await serve(paths[url] ?? '', {
    'accept-encoding': 'gzip',
    'x-forwarded-proto': 'https',
  })
  expect(headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', 'content-encoding': 'gzip' })
  expect(gunzipSync(rawPayload).toString().split('\n')[0]).toBe(
    `@import url("${paths['https://cdn.example/v2/base.css']}");.a{background:url("${paths[lamp]}");fill:url(#p);cursor:url(data:,);src:url("data:,#x")}`,
  )
})

test('the log of a failure does not contain the signed path', async () => {
  await insertAsset(service, recording, png, { url: lamp })
  const path = await pathOfLamp()
  const get = vi.spyOn(service.services.objects, 'get').mockRejectedValueOnce(new Error('disk'))
  const error = vi.spyOn(service.services.logger, 'error')
  expect((await serve(path)).statusCode).toBe(500)
  expect(error.mock.calls).toEqual([
    [expect.objectContaining({ path: '/recorded-assets/(secret)' }), 'request failed'],
  ])
  get.mockRestore()
  error.mockRestore()
})
