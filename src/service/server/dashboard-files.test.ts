import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../problems/api-error.ts'
import { compressAnswer } from './compress.ts'
import { serveDashboard } from './dashboard-files.ts'
import { setSecurityHeaders } from './security-headers.ts'

const page = '<!doctype html><html></html>'
const script = 'console.log(1)\n'.repeat(1000)
let folder: string
let server: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-dist-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/index.html'), page)
  await writeFile(join(folder, 'dist/favicon.svg'), '<svg/>')
  await mkdir(join(folder, 'dist/demo/lamps'), { recursive: true })
  for (const name of ['player.html', 'demo/index.html', 'demo/cart.html', 'demo/lamps/index.html'])
    await writeFile(join(folder, 'dist', name), name)
  await writeFile(join(folder, 'dist/assets/index-abc123.js'), script)
  await writeFile(join(folder, 'secret.txt'), 'secret')
  server = Fastify()
  server.addHook('onSend', compressAnswer)
  server.setErrorHandler((error, _, reply) =>
    reply.code(error instanceof ApiError ? error.details.status : 500).send('refused'),
  )
  server.addHook('onRequest', async (_, reply) => setSecurityHeaders(reply))
  await serveDashboard(server, async (token) => token === 'open token', join(folder, 'dist'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

test.each(['/', '/exports', '/exports/0190/edit?tab=logs', '/login'])('%s is the page', async (url) => {
  const answer = await server.inject({ url, headers: { accept: 'text/html,*/*' } })
  expect([answer.statusCode, answer.body]).toEqual([200, page])
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-cache')
})

const html = { accept: 'text/html' }

test.each(['shared', 'embedded'])(
  '/%s/… is the page, with status 200 only while the link is open',
  async (kind) => {
    for (const [token, status] of [
      ['open%20token', 200],
      ['open%20token/', 200],
      ['closed', 404],
      ['%00', 404],
    ]) {
      const answer = await server.inject({ url: `/${kind}/${token}`, headers: html })
      expect([answer.statusCode, answer.body], `${token}`).toEqual([status, page])
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    }
    const { headers } = await server.inject({ url: `/${kind}/open%20token`, headers: html })
    const again = { ...html, 'if-none-match': String(headers.etag) }
    expect((await server.inject({ url: `/${kind}/closed`, headers: again })).statusCode).toBe(404)
  },
)

test('an embedded page may be framed by anybody, as may the player in it; nothing else', async () => {
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

test('the player loads scripts of its own, and a recording in it nothing at all', async () => {
  const { headers, body } = await server.inject('/player.html')
  expect(body).toBe('player.html')
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data: blob:; " +
      "media-src data: blob:; font-src data: 'self'; frame-src 'self' about: blob:; connect-src 'none'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors *",
  )
})

test.each([
  ['/demo/', 'demo/index.html'],
  ['/demo/cart.html', 'demo/cart.html'],
  ['/demo/lamps/', 'demo/lamps/index.html'],
])('%s is a page of the demo shop, which may record itself', async (url, body) => {
  const answer = await server.inject({ url, headers: html })
  expect([answer.statusCode, answer.body]).toEqual([200, body])
  const policy = answer.headers['content-security-policy']
  for (const part of ["script-src 'self';", "style-src 'self' 'unsafe-inline';", "worker-src blob: 'self';"])
    expect(policy).toContain(part)
})

test('/demo leads to where the shop finds its style sheet and scripts beside it', async () => {
  const answer = await server.inject({ url: '/demo', headers: html })
  expect([answer.statusCode, answer.headers['location']]).toEqual([302, '/demo/'])
})

test('what the demo shop does not have is not the dashboard', async () => {
  expect((await server.inject({ url: '/demo/gone', headers: html })).statusCode).toBe(404)
})

test('a file with a hash in its name is kept for ever, any other is asked for again', async () => {
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

test('files are compressed for who understands it', async () => {
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const answer = await server.inject({ url: '/assets/index-abc123.js', headers })
  expect([answer.headers['content-encoding'], answer.headers['vary']]).toEqual(['br', 'accept-encoding'])
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script)
  expect(answer.headers['content-length']).not.toBe(String(script.length))
})

test.each([
  '/assets/gone.js',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/a%00b',
])('%s is nothing', async (url) => {
  const answer = await server.inject({ url, headers: { accept: '*/*' } })
  expect([answer.statusCode, answer.body]).toEqual([404, 'refused'])
})

test('nothing is posted to the dashboard, and a missing build says what to run', async () => {
  expect((await server.inject({ method: 'POST', url: '/' })).statusCode).toBe(404)
  const unbuilt = Fastify()
  await serveDashboard(unbuilt, async () => true, join(folder, 'none'))
  const answer = await unbuilt.inject({ url: '/', headers: { accept: 'text/html' } })
  expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm run build')])
  await unbuilt.close()
})
