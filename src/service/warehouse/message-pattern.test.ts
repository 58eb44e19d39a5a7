import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { shownPattern } from '../../contract/recordings/shown-pattern.ts'
import { messagePattern } from './message-pattern.ts'

let engines: TestEngines
beforeAll(async () => {
  engines = await testEngines()
})
afterAll(() => engines.cleanup())

async function patternOf(message: string): Promise<string> {
  const [row] = await engines.warehouse.query<{ pattern: string }>(
    `SELECT ${messagePattern('{message: String}')} AS pattern`,
    { params: { message } },
  )
  return row?.pattern ?? ''
}

describe('messages have the same pattern if they differ only in', () => {
  test.each([
    ['numbers', ['Loaded 12 of 200 items in 3.5s', 'Loaded 7 of 9 items in 120ms']],
    ['ids', ['Coupon SUMMER-1234 rejected', 'Coupon WINTER-77 rejected']],
    [
      'uuids',
      ['No cart 0195f1d0-5b6e-7c3a-9f00-aabbccddeeff', 'No cart deadbeef-dead-dead-dead-deaddeafdead'],
    ],
    ['hashes', ['Chunk 3fa91c0b failed', 'Chunk aa00bb11cc22 failed']],
    [
      'hosts and query strings',
      [
        'GET https://a.example/api/cart?id=1 404 (Not Found)',
        'GET http://localhost:8080/api/cart 500 (Not Found)',
      ],
    ],
    ['hosts without a scheme', ['Cannot reach api.shop.com:443', 'Cannot reach localhost:4280']],
    ['quoted values', [`Unknown key "size"`, `Unknown key 'colour of it'`]],
    ['e-mail addresses', ['Mail to ann@shop.example bounced', 'Mail to b.c+d@mail.test bounced']],
    ['line and column', ['TypeError at cart.js:10:5', 'TypeError at cart.js:999']],
    ['white space', ['a  b', ' a b ']],
    ['stack traces', ['Error: no\n    at f (a.js:1:2)', 'Error: no\n    at g (b.js:3:4)']],
    [
      'the prefix of uncaught exceptions',
      ['Uncaught TypeError: no', 'Uncaught (in promise) TypeError: no', 'TypeError: no'],
    ],
  ])('%s', async (_what, messages) => {
    const patterns = await Promise.all(messages.map(patternOf))
    expect(new Set(patterns).size, patterns.join(' | ')).toBe(1)
  })
})

test.each([
  ['Coupon 1 rejected', 'Coupon 1 expired'],
  ['GET https://a.example/api/cart 404', 'GET https://a.example/api/user 404'],
  ["can't load cart, isn't there", "can't load user, isn't there"],
  ['TypeError: no', 'RangeError: no'],
])('%s and %s have different patterns', async (one, other) => {
  expect(await patternOf(one)).not.toBe(await patternOf(other))
})

test('a pattern remains readable', async () => {
  expect(
    await patternOf('Uncaught TypeError: price of "lamp-3" is 12.50 at https://shop.example/js/cart.js:7:3'),
  ).toBe('TypeError: price of <value> is # at <host>/js/cart.js:#')
})

test('a pattern is shown with the sign of masked texts; a number sign of the message remains', async () => {
  expect(shownPattern(await patternOf('Coupon SUMMER-1234 rejected at cart.js:10:5'))).toBe(
    'Coupon … rejected at cart.js:…',
  )
  expect(shownPattern(await patternOf('C# cannot read #price of 2'))).toBe('C# cannot read #price of …')
})

test('a pattern has at most 300 characters for any text', async () => {
  for (const message of ['', '\n\n', "'", '\0\ud800', 'é'.repeat(5000), '\\1 \\0'])
    expect([...(await patternOf(message))].length).toBeLessThanOrEqual(300)
})
