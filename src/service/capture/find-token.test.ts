import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CaptureError } from './capture-error.ts'
import { decodeBody } from './decode.ts'
import { findToken } from './find-token.ts'
import { parseBody } from './read-body.ts'

test.each([
  ['a batch with its token first', '{"api_key":"phc_1","batch":[{"event":"a"', 'phc_1'],
  ['an event', '{"event":"a","token":"phc_1"', 'phc_1'],
  [
    'the first event of a list',
    '[{"event":"a","properties":{"a":[{"token":"no"}]},"$token":"phc_1"',
    'phc_1',
  ],
  ['the properties of a complete event', '[{"properties":{"token":"phc_1","a":"}"}},{', 'phc_1'],
  ['the properties of an event that may have a token of its own', '[{"properties":{"token":"phc_1"}', null],
  ['nested data', '{"properties":{"form":{"token":"no"},"api_key":"no"},"event":"a"}', null],
  ['an event of a batch that may have a token of its own', '{"batch":[{"token":"phc_1"},{"a":1}', null],
  ['a text that contains a token', '[{"event":"\\"token\\":\\"no\\"","token":"phc_1"}', 'phc_1'],
  ['a token that is cut off', '[{"token":"phc_', null],
  ['a token with escapes', String.raw`[{"token":"phc\u005f1"}]`, null],
  ['no JSON', 'token', null],
])('finds the token in %s', (_, text, token) => {
  expect(findToken(text)).toBe(token)
})

const token = fc.constantFrom('phc_1', 'phc_2')
const nested = fc.record({ token, list: fc.array(fc.record({ api_key: token })) }, { requiredKeys: [] })
const properties = fc.record({ token, nested, text: fc.string() }, { requiredKeys: [] })
const event = fc
  .record({ token, api_key: token, properties }, { requiredKeys: [] })
  // With one name per object, no two tokens contradict each other.
  .map(({ api_key, ...rest }) => (rest.token ? rest : { ...rest, ...(api_key && { api_key }) }))
  .map((fields) => ({ event: 'a', distinct_id: 'u', ...fields }))
const body = fc.oneof(
  event,
  fc.array(event, { minLength: 1 }),
  fc.record({ batch: fc.array(event, { minLength: 1 }), api_key: token }, { requiredKeys: ['batch'] }),
)

test('a token that is found in any beginning is the one that counts', () => {
  fc.assert(
    fc.property(body, fc.nat(), (value, length) => {
      const text = JSON.stringify(value)
      const found = findToken(text.slice(0, length % (text.length + 1)))
      if (found !== null) expect([found, 'inconsistent']).toContain(tokenOf(text))
    }),
    { numRuns: 2000 },
  )
})

function tokenOf(text: string): string {
  try {
    return decodeBody(parseBody(text), { path: '/e', query: {} }, 0).token
  } catch (error) {
    if (error instanceof CaptureError && error.message.includes('inconsistent')) return 'inconsistent'
    throw error
  }
}
