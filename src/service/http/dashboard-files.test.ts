import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { compressAnswer } from './compress.ts'
import { serveDashboard } from './dashboard-files.ts'

const page = '<!doctype html><html></html>'
const script = 'console.log(1)\n'.repeat(1000)
let folder: string
let server: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-dist-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/index.html'), page)
  await writeFile(join(folder, 'dist/favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'dist/assets/index-abc123.js'), script)
  await writeFile(join(folder, 'secret.txt'), 'secret')
  server = Fastify()
  server.addHook('onSend', compressAnswer)
  server.setErrorHandler((error, _, reply) =>
    reply.code(error instanceof ApiError ? error.details.status : 500).send('refused'),
  )
  await serveDashboard(server, join(folder, 'dist'))
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
  await serveDashboard(unbuilt, join(folder, 'none'))
  const answer = await unbuilt.inject({ url: '/', headers: { accept: 'text/html' } })
  expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm run build')])
  await unbuilt.close()
})
