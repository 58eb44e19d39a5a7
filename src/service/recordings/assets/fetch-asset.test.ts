import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultRecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import { png, startAssetServer, type TestAssetServer } from '../../testing/servers/test-asset-server.ts'
import { startRebinding } from '../../testing/servers/test-rebinding.ts'
import { allowedAddresses } from './asset-policy.ts'
import { fetchAsset, fetchTimes } from './fetch-asset.ts'
import { MissingAsset } from './missing-asset.ts'

let server: TestAssetServer
beforeAll(async () => {
  server = await startAssetServer()
})
afterAll(() => server.stop())

/** Fetches a file; resolves to the file or to the reason why it is missing. */
async function get(path: string, { isStylesheet = false, times = {}, origin = server.origin } = {}) {
  const { policy } = server
  return await fetchAsset(origin + path, {
    isStylesheet,
    addressesOf: (url) => allowedAddresses(url, defaultRecordingSettings, { policy, origin: null }),
    times: { ...fetchTimes, ...times },
    signal: new AbortController().signal,
  }).catch((error: unknown) => (error instanceof MissingAsset ? error.message : Promise.reject(error)))
}

test('fetches an image without cookies, a referrer or the password of a redirect', async () => {
  server.answer('/a.png', png)
  server.answer('/cookie', (response) => {
    const location = `http://user:secret@127.0.0.1:${server.port}/a.png#top`
    response.writeHead(301, { location, 'set-cookie': 'id=1' }).end()
  })
  expect(await get('/cookie')).toEqual({
    bytes: png,
    contentType: 'image/png',
    url: expect.stringMatching(/a\.png#top$/),
  })
  expect(server.requests.at(-1)).toEqual({
    path: '/a.png',
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, br',
      'user-agent': 'Spool',
      host: `127.0.0.1:${server.port}`,
      connection: 'close',
    },
  })
})

test('unpacks a compressed style sheet, and stops when it is too large', async () => {
  const css = `body{color:red}${'/**/'.repeat(2000)}`
  const gzip = (content: string) => (response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content))
  server.answer('/a.css', gzip(css))
  expect(await get('/a.css', { isStylesheet: true })).toMatchObject({
    bytes: Buffer.from(css),
    contentType: 'text/css; charset=utf-8',
  })
  server.answer('/bomb.css', gzip(' '.repeat(2_100_000)))
  expect(await get('/bomb.css', { isStylesheet: true })).toBe('The file is larger than 2 MB.')
})

test('follows at most three redirects, each checked like the first URL', async () => {
  for (const hop of [1, 2, 3, 4]) server.redirect(`/hop${hop}`, `hop${hop - 1}`)
  server.answer('/hop0', png)
  expect(await get('/hop3')).toMatchObject({ url: `${server.origin}/hop0` })
  expect(await get('/hop4')).toBe('The server redirects more than 3 times.')
})

test.each([
  ['http://10.0.0.7/secret.png', /port/],
  ['http://10.0.0.7:PORT/secret.png', /^The host 10\.0\.0\.7 is not on the public internet\.$/],
  ['http://[::ffff:10.0.0.7]:PORT/', /is not on the public internet/],
  ['//127.0.0.1:1/', /^Files are not fetched from port 1\.$/],
  ['file:///etc/passwd', /^The URL is not an HTTP address\.$/],
  ['http://unknown.test:PORT/', /^The host unknown\.test cannot be found\.$/],
  ['http://[', /^The server redirects to an invalid address\.$/],
])('refuses a redirect to %s', async (location, reason) => {
  server.redirect('/away', location.replace('PORT', String(server.port)))
  expect(await get('/away')).toMatch(reason)
})

test('connects only to the address that was checked, whatever the name server answers next', async () => {
  const rebinding = await startRebinding(server.port)
  server.answer('/r.png', png)
  expect(await get('/r.png', { origin: `http://${rebinding.host}` })).toMatchObject({
    contentType: 'image/png',
  })
  expect([rebinding.lookups(), rebinding.stray()]).toEqual([1, 0])
  rebinding.stop()
})

test('cuts an image that never ends, whether it is fast or slow', async () => {
  server.answer('/fast', (response) => {
    response.write(png)
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  expect(await get('/fast')).toBe('The file is larger than 5 MB.')
  server.answer('/slow', (response) => {
    response.write(png)
    const timer = setInterval(() => response.write('.'), 5)
    response.on('close', () => clearInterval(timer))
  })
  expect(await get('/slow', { times: { total: 150 } })).toBe('The server did not send the file in time.')
})

test('gives up on a server that does not answer', async () => {
  server.answer('/silent', () => undefined)
  expect(await get('/silent', { times: { silence: 50 } })).toBe('The server did not answer in time.')
})

test('refuses a file that is too large or of the wrong type before it has arrived', async () => {
  server.answer('/large', (response) => {
    response.writeHead(200, { 'content-length': '5000001' }).write(png)
  })
  expect(await get('/large')).toBe('The file is larger than 5 MB.')
  server.answer('/page', (response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(`<!doctype html>${' '.repeat(5000)}`)
  })
  expect(await get('/page')).toBe('The file is not an image or font that browsers show.')
  expect(await get('/page', { isStylesheet: true })).toBe('The file is not a style sheet.')
})

test('reports errors of the server', async () => {
  expect(await get('/none')).toBe('The server answered with status 404.')
  server.answer('/cut', (response) => {
    response.writeHead(200, { 'content-length': '100' }).write(png)
    response.destroy()
  })
  expect(await get('/cut')).toBe('The server cannot be reached.')
  server.answer('/damaged', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(png))
  expect(await get('/damaged')).toBe('The file is damaged.')
  const brotli = { 'content-encoding': 'br' }
  server.answer('/damaged.br', (response) => response.writeHead(200, brotli).end(Buffer.alloc(99, 255)))
  expect(await get('/damaged.br')).toBe('The file is damaged.')
  server.answer('/odd', (response) => response.writeHead(200, { 'content-encoding': 'compress' }).end(png))
  expect(await get('/odd')).toBe('The server compresses the file in an unknown way.')
})
