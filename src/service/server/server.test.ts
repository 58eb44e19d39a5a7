import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints, type Endpoint } from '../../contract/endpoints.ts'
import { createTestService, problemOf, type TestService } from '../testing/test-service.ts'

let service: TestService
const me = '/api/users/@me/'

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('no API response may be stored by a cache', async () => {
  const responses = await Promise.all([
    service.request('GET', me),
    service.request('GET', me, { key: '' }),
    service.request('GET', '/api/nothing/'),
    service.request('GET', '/api/schema/'),
    service.request('GET', '/api/%E0%A4%A'),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 401, 404, 200, 404])
  for (const { headers } of responses) expect(headers['cache-control']).toBe('no-store')
})

test('a URL that cannot be decoded gets a page in a browser and a JSON problem in other clients', async () => {
  const html = { accept: 'text/html,*/*;q=0.8' }
  const page = await service.request('GET', '/%E0%A4%A', { key: '', headers: html })
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.text).toContain('<h1>Page not found</h1>')
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  const others = [{ key: '' }, { key: '', headers: { accept: '*/*' } }]
  for (const options of others)
    expect(problemOf(await service.request('GET', '/%E0%A4%A', options)).code).toBe('not_found')
  const api = await service.request('GET', '/api/%E0%A4%A', { headers: html })
  expect(problemOf(api).code).toBe('not_found')
})

test('a fragment in the request line is not part of the address', async () => {
  const origin = await service.server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write('GET /nothing#%E0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /)
})

test.each(['{', '', ' '.repeat(1_100_000)])(
  'no body sent to an unknown address is read or causes a 500',
  async (payload) => {
    const headers = { 'content-type': 'application/json' }
    const response = await service.server.inject({ method: 'POST', url: '/nothing', headers, payload })
    expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
  },
)

test('a request that needs a content type says so', async () => {
  const response = await service.server.inject({ method: 'QUERY' as 'GET', url: '/api/users/@me/' })
  expect([response.statusCode, response.json().detail]).toEqual([
    400,
    'A request with this method needs a Content-Type header.',
  ])
})

function exportsPath(): string {
  return `/api/projects/${service.own.project_id}/batch_exports/`
}

test('every endpoint of the table has a test that names it', async () => {
  const folder = join(import.meta.dirname, '..')
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    /^(?:handlers|bulk)\/.*\.test\.ts$/.test(name),
  )
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const named = texts
    .map(withPathsInFull)
    .join('\n')
    .split('\n')
    .filter((line) => /^\s*test\(/.test(line))
  const unnamed = Object.values<Endpoint>(endpoints).filter(
    ({ method, path }) => !named.some((title) => title.includes(`${method} ${path} `)),
  )
  expect(unnamed.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

/** Tests may define the start of their paths once, as `of`. */
function withPathsInFull(text: string): string {
  const prefixes = Array.from(text.matchAll(/'(\/api\/[^' ]+)'/g), ([, path = '']) => path)
  return [text, ...prefixes.map((prefix) => text.replaceAll('${of}', prefix))].join('\n')
}

describe('paths', () => {
  test('the trailing slash is optional, and environments are projects', async () => {
    const responses = await Promise.all(
      [exportsPath(), exportsPath().replace('projects', 'environments'), me, me.replace('@', '%40')]
        .flatMap((path) => [path, path.slice(0, -1)])
        .map((path) => service.request('GET', path)),
    )
    expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 8 }, () => 200))
  })

  test('@current is the first project or organization that the key can access', async () => {
    const key = await service.newKey({ projects: [service.secondProjectId] })
    const body = {
      name: 'Here',
      interval: 'day',
      destination: { type: 'File', config: { path: 'x' } },
    }
    const inProject = await service.request('POST', '/api/projects/@current/batch_exports/', { key, body })
    expect(inProject.body).toMatchObject({ team_id: service.secondProjectId })
    const scope = '/api/organizations/@current/batch_exports/'
    const weekly = { ...body, interval: 'week' }
    expect((await service.request('POST', scope, { key, body: weekly })).body).toMatchObject({
      team_id: service.secondProjectId,
    })
  })

  test.each([
    '/api',
    '/api/',
    '/api/nothing/',
    '/api/projects/',
    '/api/projects//batch_exports/',
    '/api//',
    '/api/%zz',
    '/api/users/@you/',
  ])('%s is unknown: 404 in the usual shape', async (path) => {
    const response = await service.request('GET', path)
    expect(response.status).toBe(404)
    expect(problemOf(response)).toMatchObject({ type: 'invalid_request', code: 'not_found' })
  })

  test('a known path with another method: 405 with the allowed ones', async () => {
    const response = await service.request('DELETE', exportsPath())
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
    expect(problemOf(response)).toMatchObject({
      type: 'invalid_request',
      code: 'method_not_allowed',
      detail: 'Method "DELETE" not allowed.',
    })
  })

  test('OPTIONS lists the methods, HEAD responds like GET without a body', async () => {
    expect((await service.request('DELETE', exportsPath(), { key: '' })).status).toBe(401)
    const options = await service.request('OPTIONS', exportsPath())
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
    const head = await service.request('HEAD', exportsPath())
    expect([head.status, head.text]).toEqual([200, ''])
  })
})

describe('keys', () => {
  test('tolerates extra spaces after Bearer, and ignores other schemes', async () => {
    const { api_key: key } = service.own
    const withHeader = (authorization: string) =>
      service.request('GET', me, { key: '', headers: { authorization } })
    expect((await withHeader(`Bearer   ${key}  `)).status).toBe(200)
    expect((await withHeader(`bearer ${key}`)).status).toBe(200)
    expect(problemOf(await withHeader(`Basic ${key}`)).code).toBe('not_authenticated')
    expect(problemOf(await withHeader('Bearer ')).code).toBe('not_authenticated')
    expect(problemOf(await withHeader(`Bearer ${key}x`)).code).toBe('authentication_failed')
  })

  test('write satisfies read, and a key without scopes has no access', async () => {
    const writing = await service.newKey({ scopes: ['batch_export:write'] })
    expect((await service.request('GET', exportsPath(), { key: writing })).status).toBe(200)
    const nothing = await service.newKey({ scopes: [] })
    expect((await service.request('GET', exportsPath(), { key: nothing })).status).toBe(403)
  })
})

describe('paging', () => {
  test.each(['limit=junk&offset=junk', 'limit=0&offset=-1', 'limit=-5', 'limit=99999', 'limit=2&limit=1000'])(
    'corrects %s',
    async (query) => {
      const response = await service.request('GET', `${exportsPath()}?${query}`)
      expect(response.status).toBe(200)
    },
  )

  test('ignores unknown parameters, and rejects a null character in a known one', async () => {
    expect((await service.request('GET', `${exportsPath()}?x=%zz&=&__proto__=1`)).status).toBe(200)
    const { id } = z.object({ id: z.string() }).parse(
      (
        await service.request('POST', exportsPath(), {
          body: { name: 'n', interval: 'day', destination: { type: 'File', config: { path: 'p' } } },
        })
      ).body,
    )
    const response = await service.request('GET', `${exportsPath()}${id}/logs/?search=%00`)
    expect(problemOf(response)).toMatchObject({ attr: 'search', detail: 'Null characters are not allowed.' })
  })

  test('links contain the Host header only if it is valid', async () => {
    const headers = { host: 'evil.example/path?', 'x-forwarded-proto': 'javascript' }
    const response = await service.request('GET', `${exportsPath()}?offset=1`, { headers })
    const { previous } = z.object({ previous: z.string() }).parse(response.body)
    expect(previous).toMatch(/^http:\/\/localhost\/api\/projects\//)
  })
})

describe('headers', () => {
  test('keeps a plain request id, replaces any other, and adds it to errors', async () => {
    const kept = await service.request('GET', '/api/nothing/', { headers: { 'x-request-id': 'abc-1.2:3' } })
    expect(problemOf(kept).request_id).toBe('abc-1.2:3')
    const replaced = await service.request('GET', me, { headers: { 'x-request-id': 'a b\u00e9' } })
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('forbids framing, sniffing and foreign scripts, and the API has no CORS', async () => {
    const { headers } = await service.request('GET', me, { headers: { origin: 'https://evil.example' } })
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('other routes', () => {
  test('/_health and /_ready need no key', async () => {
    expect((await service.request('GET', '/_health', { key: '' })).body).toEqual({ status: 'ok' })
    expect((await service.request('GET', '/_ready', { key: '' })).body).toEqual({
      status: 'ok',
      postgresql: { status: 'ok' },
      clickhouse: { status: 'ok' },
      object_storage: { status: 'ok' },
      disk_space: { status: 'ok' },
    })
  })

  test('/demo/project.js contains the token of the first project', async () => {
    const response = await service.request('GET', '/demo/project.js', { key: '' })
    expect([response.status, response.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    const { api_token } = await service.services.store
      .selectFrom('projects')
      .select('api_token')
      .where('id', '=', service.own.project_id)
      .executeTakeFirstOrThrow()
    expect(response.text).toBe(`window.spoolProject = {"token":"${api_token}"}\n`)
  })

  test('a closed link serves the page with status 404, or 503 without a build', async () => {
    const response = await service.request('GET', '/shared/none', {
      key: '',
      headers: { accept: 'text/html' },
    })
    expect([404, 503]).toContain(response.status)
  })

  test('serves the dashboard for its pages, but not for missing files', async () => {
    const page = await service.request('GET', '/exports/some-id', {
      key: '',
      headers: { accept: 'text/html' },
    })
    expect([200, 503]).toContain(page.status)
    expect(page.text).toMatch(page.status === 200 ? /<html/ : /npm run build/)
    for (const path of ['/assets/none.js', '/../package.json', '/%2e%2e/package.json', '/.env'])
      expect((await service.request('GET', path, { key: '' })).status, path).toBe(404)
  })
})

test('more requests a minute than allowed: 429 and when to retry', async () => {
  const limited = await createTestService({ config: { rateLimit: 3 }, now: '2026-03-04T10:30:45Z' })
  try {
    const ask = () => limited.request('GET', me)
    for (let count = 0; count < 3; count++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '15'])
    expect(problemOf(refused)).toMatchObject({
      type: 'throttled_error',
      code: 'throttled',
      detail: 'Request was throttled. Expected available in 15 seconds.',
    })
    const other = await limited.request('GET', me, { key: limited.other.api_key })
    expect(other.status).toBe(200)
    limited.clock.advance(15_000)
    expect((await ask()).status).toBe(200)
  } finally {
    await limited.stop()
  }
})
