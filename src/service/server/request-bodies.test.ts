import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestService, problemOf, type TestService } from '../testing/test-service.ts'

const exportsPath = '/api/projects/@current/batch_exports/'
let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const post = (raw: string | Buffer, headers: Record<string, string>) =>
  service.request('POST', exportsPath, { raw, headers })
const json = { 'content-type': 'application/json' }

test.each([
  ['broken JSON', '{"name": '],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
])('%s: 400 parse_error', async (_, raw) => {
  const response = await post(raw, json)
  expect(response.status).toBe(400)
  expect(problemOf(response)).toMatchObject({ type: 'invalid_request', code: 'parse_error' })
  expect(problemOf(response).detail).toMatch(/^JSON parse error - /)
})

test.each([
  ['[]', 'list'],
  ['"text"', 'str'],
  ['7', 'int'],
  ['null', 'NoneType'],
])('%s is not an object: 400', async (raw, type) => {
  const detail = `Invalid data. Expected a dictionary, but got ${type}.`
  expect(problemOf(await post(raw, json))).toMatchObject({ code: 'invalid_input', attr: null, detail })
})

test('another media type: 415; an empty body needs none', async () => {
  const response = await post('name=x', { 'content-type': 'application/x-www-form-urlencoded' })
  expect(response.status).toBe(415)
  expect(problemOf(response)).toMatchObject({
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
  expect((await service.request('POST', exportsPath, { key: '', raw, headers: json })).status).toBe(401)
})

test('deep nesting and prototype keys are harmless', async () => {
  const deep = `{"destination": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await post(deep, json)).status).toBe(400)
  const poison = '{"__proto__": {"name": "x"}, "constructor": {"prototype": {"name": "y"}}}'
  expect(problemOf(await post(poison, json))).toMatchObject({ code: 'required', attr: 'name' })
  expect(Reflect.get({}, 'name')).toBeUndefined()
})
