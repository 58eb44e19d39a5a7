import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../problems/api-error.ts'
import { compressResponse } from './compress.ts'
import { serveDashboard } from './dashboard-files.ts'
import { setSecurityHeaders } from './security-headers.ts'

const meta = '<meta name="user-content-origin" content="" />'
const page = `<!doctype html><html><head>${meta}</head></html>`
const sharedPage = `<!doctype html><html><head>${meta}<title>Shared recording</title></head></html>`
/** Returns a page as it is served at localhost, where the player's frame comes from the machine's other name. */
const atLocalhost = (text: string) => text.replace('content=""', 'content="//127.0.0.1:80"')
const script = 'console.log(1)\n'.repeat(1000)
let folder: string
let server: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-dist-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/index.html'), page)
  await writeFile(join(folder, 'dist/shared.html'), sharedPage)
  await writeFile(join(folder, 'dist/favicon.svg'), '<svg/>')
  const routes = ['/', '/login', '/exports', '/exports/$id/edit']
  await writeFile(join(folder, 'dist/pages.json'), JSON.stringify(routes))
  await mkdir(join(folder, 'dist/demo'))
  const shop = ['index', 'cart', 'category', 'guide', 'product'].map((name) => `demo/${name}.html`)
  for (const name of ['player.html', ...shop]) await writeFile(join(folder, 'dist', name), name)
  await writeFile(join(folder, 'dist/assets/index-abc123.js'), script)
  await writeFile(join(folder, 'secret.txt'), 'secret')
  server = Fastify()
  server.addHook('onSend', compressResponse)
  server.setErrorHandler((error, _, reply) =>
    reply.code(error instanceof ApiError ? error.details.status : 500).send('refused'),
  )
  server.addHook('onRequest', async (_, reply) => setSecurityHeaders(reply))
  await serveDashboard(
    server,
    { host: '127.0.0.1', userContentOrigin: null },
    async (token) => (token === 'open token' ? 'recording' : token === 'collection' ? token : null),
    join(folder, 'dist'),
  )
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const html = { accept: 'text/html' }

test('link previews of a collection show a title that names nothing of what the link opens', async () => {
  const { statusCode, body } = await server.inject({ url: '/shared/collection' })
  expect([statusCode, body]).toEqual([
    200,
    atLocalhost(sharedPage).replace('Shared recording', 'A collection of recordings'),
  ])
})

test.each(['/', '/exports', '/exports/', '/exports/0190/edit?tab=logs', '/login'])(
  '%s serves the page to any client',
  async (url) => {
    for (const accept of ['text/html,*/*', '*/*', 'application/json', undefined])
      for (const method of ['GET', 'HEAD'] as const) {
        const response = await server.inject({ method, url, headers: accept ? { accept } : {} })
        expect([response.statusCode, response.body]).toEqual([200, method === 'GET' ? atLocalhost(page) : ''])
        expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(response.headers['cache-control']).toBe('no-cache')
      }
  },
)

test.each(['/export', '/exports/0190', '/exports//edit', '/exports/0190/edit/x', '/shared'])(
  '%s is not found, with a page for browsers',
  async (url) => {
    const browser = await server.inject({ url, headers: html })
    expect([browser.statusCode, browser.body]).toEqual([404, atLocalhost(page)])
    const script = await server.inject({ url, headers: { accept: '*/*' } })
    expect([script.statusCode, script.body]).toEqual([404, 'refused'])
  },
)

test.each(['shared', 'embedded'])(
  '/%s/… serves the page, with status 200 only while the link is open',
  async (kind) => {
    for (const [token, status] of [
      ['open%20token', 200],
      ['open%20token/', 200],
      ['closed', 404],
      ['%00', 404],
    ]) {
      for (const accept of ['text/html', '*/*']) {
        const response = await server.inject({ url: `/${kind}/${token}`, headers: { accept } })
        expect(response.statusCode, `${token}`).toBe(status)
        expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(response.headers['cache-control']).toBe('no-store')
        expect(response.body).toBe(atLocalhost(sharedPage))
      }
    }
  },
)

test('only embedded pages and the player can be framed by any site', async () => {
  const framing = async (url: string) => {
    const { headers } = await server.inject({ url, headers: html })
    const policy = String(headers['content-security-policy'])
    return [/frame-ancestors ([^;]*)/.exec(policy)?.[1], headers['x-frame-options']]
  }
  for (const url of ['/embedded/open%20token', '/embedded/closed', '/player.html'])
    expect(await framing(url), url).toEqual(['*', undefined])
  for (const url of ['/', '/shared/open%20token', '/embedded', '/recordings/embedded', '/demo/'])
    expect(await framing(url), url).toEqual(["'none'", 'DENY'])
})

test('the player loads only its own scripts, and a recording in it only recorded assets', async () => {
  const { headers, body } = await server.inject({
    url: '/player.html',
    headers: { host: 'spool.example:81' },
  })
  expect(body).toBe('player.html')
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline' data:; " +
      'img-src data: blob: spool.example:81/recorded-assets/; media-src data: blob:; ' +
      "font-src data: spool.example:81/recorded-assets/; frame-src 'none'; connect-src spool.example:81/recorded-assets/; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors *",
  )
})

test('a worker, whose policy is that of its file, may connect to nothing', async () => {
  const { headers } = await server.inject('/assets/index-abc123.js')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
})

test.each([
  ['localhost:4280', '//127.0.0.1:4280', "'self' 127.0.0.1:4280"],
  ['127.0.0.1', '//localhost', "'self' localhost"],
  ['spool.example', '', "'self' "],
  ['127.0.0.1.example', '', "'self' "],
])(
  'a page at %s names the origin of the player’s frame, and frames no other',
  async (host, origin, frames) => {
    for (const url of ['/exports', '/shared/open%20token', '/embedded/open%20token']) {
      const { headers, body } = await server.inject({ url, headers: { host } })
      expect(body).toContain(`content="${origin}"`)
      expect(headers['content-security-policy']).toContain(`; frame-src ${frames};`)
      const connects = origin !== '' && url !== '/exports'
      expect(headers['link']).toBe(connects ? `<${origin}>; rel=preconnect` : undefined)
    }
  },
)

test('an invalid host adds nothing to the policy of the player', async () => {
  const { headers } = await server.inject({ url: '/player.html', headers: { host: 'x; script-src *' } })
  expect(headers['content-security-policy']).toContain('img-src data: blob: ;')
})

test.each([
  ['/demo/', 'demo/index.html'],
  ['/demo/cart.html', 'demo/cart.html'],
  ['/demo/guide/washing-linen', 'demo/guide.html'],
])('%s is a page of the demo shop, which can record itself', async (url, body) => {
  const response = await server.inject({ url, headers: html })
  expect([response.statusCode, response.body]).toEqual([200, body])
  const policy = response.headers['content-security-policy']
  for (const part of [
    "script-src 'self';",
    "style-src 'self' 'unsafe-inline';",
    "worker-src blob: 'self';",
    // Its own files and capture, but not the API.
    `connect-src ${'demo array static flags decide e i s'.replaceAll(/\w+/g, 'localhost:80/$&/')};`,
  ])
    expect(policy).toContain(part)
})

test('/demo redirects to /demo/, where relative URLs work', async () => {
  const response = await server.inject({ url: '/demo', headers: html })
  expect([response.statusCode, response.headers['location']]).toEqual([302, '/demo/'])
})

test('/favicon.ico redirects to the icon, so that pages without one cause no error in the console', async () => {
  const response = await server.inject({ url: '/favicon.ico' })
  expect([response.statusCode, response.headers['location']]).toEqual([302, '/favicon.svg'])
})

test('an unknown path of the demo shop does not serve the dashboard', async () => {
  for (const url of [
    '/demo/gone',
    '/demo/gone/washing-linen',
    '/demo/guide/washing-linen/',
    '/demo/guide',
    '/demo/category.html',
    '/demo/guide.html',
    '/demo/product.html',
  ])
    expect((await server.inject({ url, headers: html })).statusCode).toBe(404)
})

test('a file with a hash in its name is cached for good, any other is revalidated', async () => {
  const hashed = await server.inject('/assets/index-abc123.js')
  expect([hashed.statusCode, hashed.body]).toEqual([200, script])
  expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const plain = await server.inject('/favicon.svg')
  expect(plain.headers['cache-control']).toBe('no-cache')
  const again = await server.inject({
    url: '/favicon.svg',
    headers: { 'if-none-match': String(plain.headers.etag) },
  })
  expect(again.statusCode).toBe(304)
})

test('compresses files for clients that accept it', async () => {
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const response = await server.inject({ url: '/assets/index-abc123.js', headers })
  expect([response.headers['content-encoding'], response.headers['vary']]).toEqual(['br', 'accept-encoding'])
  expect(brotliDecompressSync(response.rawPayload).toString()).toBe(script)
  expect(response.headers['content-length']).not.toBe(String(script.length))
})

test('sends the compressed copies that the build wrote', async () => {
  const file = join(folder, 'dist/assets/copied-abc123.js')
  await writeFile(file, script)
  await writeFile(`${file}.gz`, gzipSync('// the copy'))
  const headers = { 'accept-encoding': 'gzip' }
  const response = await server.inject({ url: '/assets/copied-abc123.js', headers })
  expect([response.headers['content-encoding'], response.headers['vary']]).toEqual([
    'gzip',
    'accept-encoding',
  ])
  expect(gunzipSync(response.rawPayload).toString()).toBe('// the copy')
  expect(response.headers['content-type']).toMatch(/javascript/)
})

test.each([
  '/assets/gone.js',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/a%00b',
])('%s is not found', async (url) => {
  const response = await server.inject({ url, headers: { accept: '*/*' } })
  expect([response.statusCode, response.body]).toEqual([404, 'refused'])
})

test('rejects POST requests, and says what to run if the build is missing', async () => {
  expect((await server.inject({ method: 'POST', url: '/' })).statusCode).toBe(404)
  const unbuilt = Fastify()
  await serveDashboard(
    unbuilt,
    { host: '127.0.0.1', userContentOrigin: null },
    async () => 'recording',
    join(folder, 'none'),
  )
  const response = await unbuilt.inject({ url: '/', headers: { accept: 'text/html' } })
  expect([response.statusCode, response.body]).toEqual([503, expect.stringContaining('npm run build')])
  await unbuilt.close()
})
