import { localPath } from '../../contract/accounts/local-path.ts'
import { expect, test } from 'vitest'
import {
  amount,
  anyText,
  date,
  flag,
  index,
  instant,
  integer,
  oneOf,
  or,
  searchParams,
  text,
  uuid,
} from './search-params.ts'

test('parameters that are not valid or unknown are left out, and those with a usual value always have one', () => {
  const { parse } = searchParams({ a: integer, b: text, c: or(oneOf(['x', 'y']), 'x'), d: or(flag, true) })
  const replaced = parse({ a: 1.5, b: 2, c: 'z', other: 1 })
  expect(replaced).toEqual({ c: 'x', d: true })
  // Otherwise the router would keep the values as given.
  expect(Object.keys(replaced)).toEqual(expect.arrayContaining(['a', 'b']))
  expect(Object.keys(parse({}))).toEqual(['c', 'd'])
  expect(parse({ a: 1, b: '', c: 'y', d: false })).toEqual({ a: 1, b: '', c: 'y', d: false })
})

test.each<[(value: unknown) => unknown, unknown, unknown[]]>([
  [text, 'a', [1, null, undefined, ['a']]],
  [integer, -3, [0.5, '3', Number.MAX_VALUE, null]],
  [index, 0, [-1, 0.5, '0', null]],
  [amount, 0.5, [-0.5, Infinity, '1', null]],
  [flag, false, ['false', 0, null]],
  [date, '2024-02-29', ['2026-02-29', '2026-02-01T00:00Z', 20260201, null]],
  [instant, '2026-02-01T10:00:00+01:00', ['2026-02-30', 'yesterday', 3, null]],
  [
    localPath,
    '/exports?state=failing',
    ['//evil.example', '/\\evil.example', 'https://evil.example', 'a', null],
  ],
  [uuid, '0198A1b2-0000-0000-0000-000000000000', ['0198a1b2', '', 4, null]],
])('%o accepts only values of its kind', (read, valid, invalid) => {
  expect(read(valid)).toBe(valid)
  for (const value of invalid) expect(read(value)).toBeUndefined()
})

test('a number in the address is a text where any text is allowed', () => {
  expect([anyText(12), anyText('a'), anyText(undefined)]).toEqual(['12', 'a', ''])
})
