import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSecretName, redactSecrets, redactText } from './redact-secrets.ts'

test.each([
  ['authorization', true],
  ['Proxy-Authorization', true],
  ['Set-Cookie', true],
  ['x-api-key', true],
  ['apiKey', true],
  ['user[password]', true],
  ['passwordConfirmation', true],
  ['access_token', true],
  ['X-CSRF-Token', true],
  ['clientSecret', true],
  ['userPin', true],
  ['auth', true],
  ['author', false],
  ['shippingAddress', false],
  ['content-type', false],
  ['design', false],
  ['key', false],
  ['', false],
])('the name %s is secret: %s', (name, expected) => {
  expect(isSecretName(name)).toBe(expected)
})

describe('replaces secrets in', () => {
  test.each<[string, string, string]>([
    ['a query', 'https://a.example/x?id=7&token=t0p#top', 'https://a.example/x?id=7&token=[redacted]'],
    [
      'a fragment',
      'https://a.example/#access_token=t0p&id=7',
      'https://a.example/#access_token=[redacted]&id=7',
    ],
    ['user information', 'https://ada:t0p@a.example/x', 'https://[redacted]@a.example/x'],
    ['a form', 'user=ada&pass%77ord=t0p+1&x=1', 'user=ada&pass%77ord=[redacted]&x=1'],
    [
      'a URL in a query',
      'https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3Dt0p&x=1',
      'https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3D%5Bredacted%5D&x=1',
    ],
    ['JSON in a form', 'data=%7B%22pin%22%3A1234%7D', 'data=%7B%22pin%22%3A%22%5Bredacted%5D%22%7D'],
    ['JSON', '{"a":[{"password":"t0p"}],"b":1}', '{"a":[{"password":"[redacted]"}],"b":1}'],
    ['JSON with a repeated key', '{"token":"t0p","token":null}', '{"token":null}'],
    ['JSON with escapes', String.raw`{"to\u006ben":"t0p"}`, '{"token":"[redacted]"}'],
    [
      'JSON within JSON',
      JSON.stringify({ a: '{"secret":{"b":1}}' }),
      JSON.stringify({ a: '{"secret":"[redacted]"}' }),
    ],
    ['JSON that is cut off', '{"a":{"password":"t0', '{"a":{"password":"[redacted]"'],
    ['a list that is cut off', '{"tokens": [\n "t0p",\n "t0', '{"tokens": [redacted]'],
    [
      'GraphQL',
      'mutation { login(password: "t0p", name: "ada") }',
      'mutation { login(password: "[redacted]", name: "ada") }',
    ],
    [
      'lines of headers',
      'Accept: a/b\r\nCookie: a=t0p; b=2\r\nHost: a',
      'Accept: a/b\r\nCookie: [redacted]\r\nHost: a',
    ],
    [
      'a multipart form',
      '--x\r\nContent-Disposition: form-data; name="user"\r\n\r\nada\r\n--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nt0p\r\n--x--\r\n',
      '--x\r\nContent-Disposition: form-data; name="user"\r\n\r\nada\r\n--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n[redacted]\r\n--x--\r\n',
    ],
  ])('%s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected)
    expect(redactText(expected)).toBe(expected)
  })

  test('header objects, lists of pairs and lists of names with values', () => {
    const pairs = {
      object: { Authorization: 'Bearer t0p', accept: '*/*' },
      lists: [['set-cookie', 't0p']],
      named: [{ name: 'x-api-key', value: 't0p' }],
    }
    expect(redactSecrets(pairs)).toEqual({
      object: { Authorization: '[redacted]', accept: '*/*' },
      lists: [['set-cookie', '[redacted]']],
      named: [{ name: 'x-api-key', value: '[redacted]' }],
    })
  })
})

test.each([
  'https://shop.example/lamps?sort=new&page=2',
  'The author of the design: Ada',
  'iVBORw0KGgo='.repeat(3),
  '',
])('leaves “%s” unchanged', (text) => {
  expect(redactText(text)).toBe(text)
})

const secretName = fc.constantFrom(
  'password',
  'Authorization',
  'set-cookie',
  'apiKey',
  'user[token]',
  'client_secret',
)
/** Every secret contains this text, which nothing else does. */
const mark = 'S3CR3T'
const around = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.toWellFormed())
const secret = fc.tuple(around, around).map(([before, after]) => before + mark + after)

/** Wraps a text in another format, as pages do. */
const wrap = fc.constantFrom<(text: string) => unknown>(
  (text) => text,
  (text) => ({ body: text, ok: true }),
  (text) => JSON.stringify({ body: text }),
  (text) => `a=1&body=${encodeURIComponent(text)}&b=2`,
  (text) => `https://a.example/x?next=${encodeURIComponent(text)}#top`,
)
const holder = fc
  .tuple(secretName, secret)
  .chain(([name, value]) =>
    fc.constantFrom<unknown>(
      { [name]: value },
      { deep: [{ list: [{ [name]: [value, { value }] }] }] },
      { name, value },
      [name, value],
      JSON.stringify({ id: 1, [name]: value }),
      JSON.stringify({ id: 1, [name]: value }, null, 2),
      `id=1&${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      `https://a.example/x?${encodeURIComponent(name)}=${encodeURIComponent(value)}&id=1`,
    ),
  )

test('no secret survives, whatever formats wrap it', () => {
  fc.assert(
    fc.property(holder, fc.array(wrap, { maxLength: 2 }), (held, wraps) => {
      const wrapped = wraps.reduce<unknown>(
        (value, apply) => apply(typeof value === 'string' ? value : JSON.stringify(value)),
        held,
      )
      expect(JSON.stringify(redactSecrets(wrapped))).not.toContain(mark)
    }),
    { numRuns: 1000 },
  )
})

test('no secret survives in JSON that is cut off at any position', () => {
  fc.assert(
    fc.property(secretName, secret, fc.nat(), (name, value, at) => {
      const text = JSON.stringify({ id: 1, items: [{ [name]: value }, { more: [name] }] })
      expect(redactText(text.slice(0, at % text.length))).not.toContain(mark)
    }),
    { numRuns: 500 },
  )
})

test('redacting a result changes nothing, and no value causes an error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), holder), (value) => {
      const once = redactSecrets(value)
      expect(redactSecrets(once)).toEqual(once)
    }),
    { numRuns: 500 },
  )
})

test('values that are nested too deeply are replaced as a whole', () => {
  const deep = `${'['.repeat(100_000)}{"password":"${mark}"}${']'.repeat(100_000)}`
  expect(redactText(deep)).not.toContain(mark)
})
