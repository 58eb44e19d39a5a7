import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestService, type TestService } from '../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  const config = { rateLimit: 1000, captureRateLimit: 3, trustedProxies: ['127.0.0.9', '127.1.0.0/16'] }
  service = await createTestService({ config, now: '2026-03-04T10:30:45Z' })
})
afterAll(() => service.stop())
afterEach(() => service.clock.advance(60_000))

type Given = { from?: string; forwarded?: string; key?: string }

function me({ from = '127.0.0.1', forwarded, key = 'phx_wrong' }: Given = {}) {
  return service.server.inject({
    url: '/api/users/@me/',
    remoteAddress: from,
    headers: { authorization: `Bearer ${key}`, ...(forwarded && { 'x-forwarded-for': forwarded }) },
  })
}

async function exhaust(given: Given): Promise<void> {
  for (let count = 0; count < 30; count++) expect((await me(given)).statusCode).toBe(401)
  const refused = await me(given)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '15'])
}

test('wrong keys from an address are throttled, while valid keys still work there and wrong ones elsewhere get 401', async () => {
  await exhaust({})
  expect((await me({ key: service.own.api_key })).statusCode).toBe(200)
  expect((await me({ from: '127.0.0.2' })).statusCode).toBe(401)
  service.clock.advance(60_000)
  expect((await me()).statusCode).toBe(401)
})

test('IPv6 addresses of one network count together', async () => {
  await exhaust({ from: 'fd00:1:2:3::1' })
  expect((await me({ from: 'fd00:1:2:3::2' })).statusCode).toBe(429)
  expect((await me({ from: 'fd00:1:2:4::1' })).statusCode).toBe(401)
})

test('only a trusted proxy can say which client a request is from', async () => {
  await exhaust({ from: '127.0.0.3', forwarded: '127.0.0.4' })
  expect((await me({ from: '127.0.0.3', forwarded: '127.0.0.5' })).statusCode).toBe(429)
  await exhaust({ from: '127.0.0.9', forwarded: '127.0.0.6, 127.1.2.3' })
  expect((await me({ from: '127.0.0.9', forwarded: '127.0.0.6' })).statusCode).toBe(429)
  expect((await me({ from: '127.0.0.9', forwarded: '127.0.0.7' })).statusCode).toBe(401)
})

test('captures of a project from one address get 503 above the limit, which clients retry', async () => {
  const event = { event: 'a', distinct_id: 'u' }
  const capture = (token: string, events: number, from = '127.0.0.1') =>
    service.server.inject({
      method: 'POST',
      url: '/e/',
      remoteAddress: from,
      payload: { api_key: token, batch: Array.from({ length: events }, () => event) },
    })
  const { own, other } = service
  expect((await capture(own.project_token, 2)).statusCode).toBe(200)
  const refused = await capture(own.project_token, 2)
  expect([refused.statusCode, refused.headers['retry-after'], refused.body]).toEqual([
    503,
    '10',
    'too many events from this address, try again later',
  ])
  expect((await capture(own.project_token, 1)).statusCode).toBe(503)
  expect((await capture(own.project_token, 1, '127.0.0.2')).statusCode).toBe(200)
  expect((await capture(other.project_token, 1)).statusCode).toBe(200)
  service.clock.advance(60_000)
  expect((await capture(own.project_token, 1)).statusCode).toBe(200)
})
