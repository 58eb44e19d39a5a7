import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints, type Endpoint } from '../../contract/endpoints.ts'
import { createTestService, problemOf, type TestService } from '../testing/test-service.ts'
import { contentOrigin, contentOriginWarning } from './content-origin.ts'

const userContentOrigin = 'https://content.example'
const html = { accept: 'text/html' }
const signedIn = { ...html, cookie: 'a=1; spool_session_80=secret; spool_session_1=secret' }
let service: TestService
beforeAll(async () => {
  service = await createTestService({ config: { userContentOrigin } })
})
afterAll(() => service.stop())

function at(host: string, url: string, headers: Record<string, string> = html, method = 'GET') {
  return service.request(method, url, { headers: { ...headers, host } })
}

test.each([
  ['127.0.0.1', 'localhost:4280', '//127.0.0.1:4280'],
  ['::', '127.0.0.1:4280', '//localhost:4280'],
  ['0.0.0.0', '[::1]:4280', '//localhost:4280'],
  // Neither name of this machine reaches the service.
  ['192.0.2.1', 'localhost:4280', null],
  ['127.0.0.1', 'spool.example', null],
  ['127.0.0.1', 'localhost.example:80', null],
])('a service at %s shows user content of pages at %s at %s', (host, dashboardHost, origin) => {
  expect(contentOrigin({ host, userContentOrigin: null }, dashboardHost)).toBe(origin)
  expect(contentOrigin({ host, userContentOrigin }, dashboardHost)).toBe(userContentOrigin)
})

test('warns of addresses at which recordings would play on the dashboard’s own origin', () => {
  const warned = (host: string, trustedProxies: string[], origin: string | null) =>
    contentOriginWarning({ host, trustedProxies, userContentOrigin: origin }) !== null
  expect(warned('127.0.0.1', [], null)).toBe(false)
  expect(warned('0.0.0.0', [], null)).toBe(true)
  expect(warned('127.0.0.1', ['10.0.0.0/8'], null)).toBe(true)
  expect(warned('0.0.0.0', ['10.0.0.0/8'], userContentOrigin)).toBe(false)
})

test('at SPOOL_USER_CONTENT_ORIGIN, there is neither an endpoint nor a page for people', async () => {
  const pages = [
    '/',
    '/login',
    '/exports',
    '/shared/x',
    '/embedded/x',
    '/index.html',
    '/shared.html',
    '/none',
  ]
  const paths = ['/api/schema/', '/api/none/', '/exported-files/x', '/assets/', ...pages]
  const requests: [string, string][] = [
    ...paths.map((path): [string, string] => ['GET', path]),
    ...Object.values<Endpoint>(endpoints).map(({ method, path }): [string, string] => [
      method,
      path.replaceAll(/:\w+/g, '1'),
    ]),
  ]
  for (const [method, path] of requests) {
    const response = await at('content.example', path, signedIn, method)
    expect(response.status, `${method} ${path}`).toBe(404)
    expect(problemOf(response).detail).toContain('SPOOL_USER_CONTENT_ORIGIN')
  }
  // Capture and the project's token, for the shop, and recorded assets, of which none has this address.
  expect((await at('content.example', '/demo/project.js')).status).toBe(200)
  expect((await at('content.example', '/array/none/config')).status).toBe(200)
  const asset = await at('content.example', '/recorded-assets/x')
  expect(problemOf(asset).detail).not.toContain('SPOOL_USER_CONTENT_ORIGIN')
  expect(asset.headers['access-control-allow-origin']).toBe(userContentOrigin)
})

test('the demo shop opens only at SPOOL_USER_CONTENT_ORIGIN', async () => {
  const { status, headers } = await at('spool.example', '/demo/guide/washing-linen?a=1')
  expect([status, headers['location']]).toEqual([
    302,
    `${userContentOrigin}/demo/guide/washing-linen?a=1&from=spool.example`,
  ])
  expect((await at('spool.example', '/demo', html)).headers['location']).toBe(
    `${userContentOrigin}/demo?from=spool.example`,
  )
  expect([200, 404]).toContain((await at('content.example', '/demo/?from=spool.example')).status)
})

test('by default, the demo shop opens where the browser sends no session', async () => {
  const { config } = service.services
  config.userContentOrigin = null
  try {
    expect([200, 404]).toContain((await at('localhost:1', '/demo/')).status)
    const moved = await at('localhost:1', '/demo/', signedIn)
    expect([moved.status, moved.headers['location']]).toEqual([302, '//127.0.0.1:1/demo/?from=localhost%3A1'])
    for (const [host, path] of [
      ['127.0.0.1:1', '/demo/?from=localhost%3A1'],
      ['spool.example', '/demo/'],
    ] as const) {
      const refused = await at(host, path, signedIn)
      expect(refused.status).toBe(403)
      expect(problemOf(refused).detail).toContain('SPOOL_USER_CONTENT_ORIGIN')
    }
  } finally {
    config.userContentOrigin = userContentOrigin
  }
})
