import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
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

function exportsPath(): string {
  return `/api/projects/${service.own.project_id}/batch_exports/`
}

test('every endpoint of the table has a test that names it', async () => {
  const folder = join(import.meta.dirname, '../handlers')
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test.ts'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const named = texts.map(withPathsInFull).join('\n')
  const unnamed = Object.values<Endpoint>(endpoints).filter(
    ({ method, path }) => !['test(`', "test('"].some((start) => named.includes(`${start}${method} ${path} `)),
  )
  expect(unnamed.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

/** Tests may name the beginning of their paths once, as `of`. */
function withPathsInFull(text: string): string {
  const beginnings = Array.from(text.matchAll(/'(\/api\/[^' ]+)'/g), ([, path = '']) => path)
  return [text, ...beginnings.map((beginning) => text.replaceAll('${of}', beginning))].join('\n')
}

describe('addresses', () => {
  test('the slash at the end is optional, and environments are projects', async () => {
    const answers = await Promise.all(
      [exportsPath(), exportsPath().slice(0, -1), exportsPath().replace('projects', 'environments')].map(
        (path) => service.request('GET', path),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
  })

  test('@current is the first project or organization that the key reaches', async () => {
    const key = await service.newKey({ projects: [service.secondProjectId] })
    const body = {
      name: 'Here',
      interval: 'day',
      destination: { type: 'File', config: { path: 'x' } },
    }
    const inProject = await service.request('POST', '/api/projects/@current/batch_exports/', { key, body })
    expect(inProject.body).toMatchObject({ team_id: service.secondProjectId })
    const scope = '/api/organizations/@current/batch_exports/'
    expect((await service.request('POST', scope, { key, body })).body).toMatchObject({
      team_id: service.secondProjectId,
    })
  })

  test.each(['/api', '/api/', '/api/nothing/', '/api/projects/', '/api//', '/api/%zz', '/api/users/@you/'])(
    '%s is unknown: 404 in the usual shape',
    async (path) => {
      const answer = await service.request('GET', path)
      expect(answer.status).toBe(404)
      expect(problemOf(answer)).toMatchObject({ type: 'invalid_request', code: 'not_found' })
    },
  )

  test('a known path with another method: 405 with those allowed', async () => {
    const answer = await service.request('DELETE', exportsPath())
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
    expect(problemOf(answer)).toMatchObject({
      type: 'invalid_request',
      code: 'method_not_allowed',
      detail: 'Method "DELETE" not allowed.',
    })
  })

  test('OPTIONS names the methods, HEAD answers like GET without a body', async () => {
    expect((await service.request('DELETE', exportsPath(), { key: '' })).status).toBe(401)
    const options = await service.request('OPTIONS', exportsPath())
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
    const head = await service.request('HEAD', exportsPath())
    expect([head.status, head.text]).toEqual([200, ''])
  })
})

describe('keys', () => {
  test('extra spaces after Bearer are tolerated, another scheme is no key', async () => {
    const { api_key: key } = service.own
    const withHeader = (authorization: string) =>
      service.request('GET', me, { key: '', headers: { authorization } })
    expect((await withHeader(`Bearer   ${key}  `)).status).toBe(200)
    expect((await withHeader(`bearer ${key}`)).status).toBe(200)
    expect(problemOf(await withHeader(`Basic ${key}`)).code).toBe('not_authenticated')
    expect(problemOf(await withHeader('Bearer ')).code).toBe('not_authenticated')
    expect(problemOf(await withHeader(`Bearer ${key}x`)).code).toBe('authentication_failed')
  })

  test('write satisfies read, and no scopes may do nothing', async () => {
    const writing = await service.newKey({ scopes: ['batch_export:write'] })
    expect((await service.request('GET', exportsPath(), { key: writing })).status).toBe(200)
    const nothing = await service.newKey({ scopes: [] })
    expect((await service.request('GET', exportsPath(), { key: nothing })).status).toBe(403)
  })
})

describe('bodies', () => {
  const post = (raw: string | Buffer, headers: Record<string, string>) =>
    service.request('POST', exportsPath(), { raw, headers })
  const json = { 'content-type': 'application/json' }

  test.each([
    ['a broken text', '{"name": '],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('%s: 400 parse_error', async (_, raw) => {
    const answer = await post(raw, json)
    expect(answer.status).toBe(400)
    expect(problemOf(answer)).toMatchObject({ type: 'invalid_request', code: 'parse_error' })
    expect(problemOf(answer).detail).toMatch(/^JSON parse error - /)
  })

  test.each([
    ['[]', 'list'],
    ['"text"', 'str'],
    ['7', 'int'],
    ['null', 'NoneType'],
  ])('%s is no object: 400', async (raw, type) => {
    const detail = `Invalid data. Expected a dictionary, but got ${type}.`
    expect(problemOf(await post(raw, json))).toMatchObject({ code: 'invalid_input', attr: null, detail })
  })

  test('another media type: 415, an empty body needs none', async () => {
    const answer = await post('name=x', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer.status).toBe(415)
    expect(problemOf(answer)).toMatchObject({
      code: 'unsupported_media_type',
      detail: 'Unsupported media type "application/x-www-form-urlencoded" in request.',
    })
    expect((await post('{}', { ...json, 'content-encoding': 'gzip' })).status).toBe(415)
    expect(problemOf(await post('', { 'content-type': 'text/plain' })).code).toBe('required')
  })

  test('more than 2 MB: 413, after the key has been checked', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1_900_000) })
    expect((await post(large, json)).status).toBe(400)
    const raw = JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) })
    expect((await post(raw, json)).status).toBe(413)
    expect((await service.request('POST', exportsPath(), { key: '', raw, headers: json })).status).toBe(401)
  })

  test('nesting without end and keys of the prototype do no harm', async () => {
    const deep = `{"destination": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await post(deep, json)).status).toBe(400)
    const poison = '{"__proto__": {"name": "x"}, "constructor": {"prototype": {"name": "y"}}}'
    expect(problemOf(await post(poison, json))).toMatchObject({ code: 'required', attr: 'name' })
    expect(Reflect.get({}, 'name')).toBeUndefined()
  })
})

describe('paging', () => {
  test.each(['limit=junk&offset=junk', 'limit=0&offset=-1', 'limit=-5', 'limit=99999', 'limit=2&limit=1000'])(
    '%s is put right',
    async (query) => {
      const answer = await service.request('GET', `${exportsPath()}?${query}`)
      expect(answer.status).toBe(200)
    },
  )

  test('a parameter that is no parameter of the list, and a null character in one that is', async () => {
    expect((await service.request('GET', `${exportsPath()}?x=%zz&=&__proto__=1`)).status).toBe(200)
    const { id } = z.object({ id: z.string() }).parse(
      (
        await service.request('POST', exportsPath(), {
          body: { name: 'n', interval: 'day', destination: { type: 'File', config: { path: 'p' } } },
        })
      ).body,
    )
    const answer = await service.request('GET', `${exportsPath()}${id}/logs/?search=%00`)
    expect(problemOf(answer)).toMatchObject({ attr: 'search', detail: 'Null characters are not allowed.' })
  })

  test('links repeat the Host only when it is one', async () => {
    const headers = { host: 'evil.example/path?', 'x-forwarded-proto': 'javascript' }
    const answer = await service.request('GET', `${exportsPath()}?offset=1`, { headers })
    const { previous } = z.object({ previous: z.string() }).parse(answer.body)
    expect(previous).toMatch(/^http:\/\/localhost\/api\/projects\//)
  })
})

describe('headers', () => {
  test('a sane request id is kept, any other replaced, and errors carry it', async () => {
    const kept = await service.request('GET', '/api/nothing/', { headers: { 'x-request-id': 'abc-1.2:3' } })
    expect(problemOf(kept).request_id).toBe('abc-1.2:3')
    const replaced = await service.request('GET', me, { headers: { 'x-request-id': 'a b\u00e9' } })
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('nothing may be framed, sniffed or scripted from elsewhere, and the API has no CORS', async () => {
    const { headers } = await service.request('GET', me, { headers: { origin: 'https://evil.example' } })
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the rest', () => {
  test('/api/schema/ is valid OpenAPI 3.1, without a key, and has every endpoint', async () => {
    const answer = await service.request('GET', '/api/schema/', { key: '' })
    const document = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.looseObject({})) })
      .loose()
      .parse(answer.body)
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
    expect(operations.filter((name) => name !== 'parameters')).toHaveLength(Object.keys(endpoints).length)
  })

  test('/api/schema/ says how recordings are asked for, and opened by a link', async () => {
    const { body } = await service.request('GET', '/api/schema/', { key: '' })
    const paths = z.object({ paths: z.record(z.string(), z.looseObject({})) }).parse(body).paths
    const recordings = '/api/projects/{project_id}/session_recordings/'
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(paths[recordings]).toMatchObject({
      get: {
        parameters: expect.arrayContaining([
          expect.objectContaining({
            name: 'session_ids',
            content: { 'application/json': { schema: expect.objectContaining({ type: 'array' }) } },
          }),
          expect.objectContaining({
            name: 'order_direction',
            schema: expect.not.objectContaining({ type: 'array' }),
          }),
        ]),
      },
    })
    expect(paths[`${recordings}{id}/`]).toMatchObject({
      parameters: [{ name: 'project_id' }, { name: 'id', schema: { type: 'string' } }],
      get: {
        security: [{ personalApiKey: [] }, { sharingLink: [] }],
        parameters: [
          { name: 'sharing_access_token', in: 'query' },
          { name: 'x-sharing-password', in: 'header' },
        ],
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { anyOf: [reference('SessionRecording'), reference('SharedRecording')] },
              },
            },
          },
        },
      },
    })
    expect(paths['/api/shared/{access_token}/']).toMatchObject({ get: { security: [] } })
    expect(paths[`${recordings}{id}/snapshots/`]).toMatchObject({
      get: { responses: { 200: { content: { 'application/json': {}, 'application/jsonl': {} } } } },
    })
    expect(paths[`${recordings}matching_events/`]).toMatchObject({
      get: { summary: expect.stringContaining('may change incompatibly without announcement') },
    })
  })

  test('/_health and /_ready answer without a key', async () => {
    expect((await service.request('GET', '/_health', { key: '' })).body).toEqual({ status: 'ok' })
    expect((await service.request('GET', '/_ready', { key: '' })).body).toEqual({ status: 'ok' })
  })

  test('/demo/project.js names the first project to the demo shop', async () => {
    const answer = await service.request('GET', '/demo/project.js', { key: '' })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    const { api_token } = await service.services.store
      .selectFrom('projects')
      .select('api_token')
      .where('id', '=', service.own.project_id)
      .executeTakeFirstOrThrow()
    expect(answer.text).toBe(`window.spoolProject = {"token":"${api_token}"}\n`)
  })

  test('a link that is not open is a page with status 404, or 503 where no page is built', async () => {
    const answer = await service.request('GET', '/shared/none', { key: '', headers: { accept: 'text/html' } })
    expect([404, 503]).toContain(answer.status)
  })

  test('a page of the dashboard is the dashboard, a file that is not there is not', async () => {
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

test('more requests a minute than allowed: 429 and when to come again', async () => {
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
