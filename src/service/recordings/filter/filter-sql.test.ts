import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { Bindings, propertySql } from './filter-sql.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

/** Returns whether an event with this property, or without it (undefined), passes the filter. */
async function passes(value: unknown, filter: object): Promise<boolean> {
  const bindings = new Bindings()
  const condition = propertySql(bindings, PropertyFilter.parse({ key: 'p', ...filter }), 'properties')
  const properties = bindings.bind('String', JSON.stringify({ p: value }))
  const [row] = await service.services.warehouse.query<{ passes: number }>(
    `SELECT ${condition} AS passes FROM (SELECT ${properties} AS properties)`,
    { params: bindings.params },
  )
  return row?.passes === 1
}

test.each<[unknown, string, unknown, boolean]>([
  ['Chrome', 'exact', 'Chrome', true],
  ['Chrome', 'exact', 'chrome', false],
  ['Chrome', 'exact', ['Safari', 'Chrome'], true],
  ['Chrome', 'exact', [], false],
  [5, 'exact', '5', true],
  ['5', 'exact', 5, true],
  [0.1, 'exact', 0.1, true],
  [true, 'exact', true, true],
  [null, 'exact', 'null', false],
  [undefined, 'exact', '', false],
  ['Chrome', 'is_not', 'Chrome', false],
  ['Safari', 'is_not', ['Chrome', 'Firefox'], true],
  [undefined, 'is_not', 'Chrome', true],
  ['Ünderground', 'icontains', 'üNDER', true],
  ['100%', 'icontains', '_0%', false],
  ['abc', 'icontains', ['x', 'B'], true],
  [undefined, 'icontains', 'a', false],
  ['abc', 'not_icontains', 'B', false],
  [undefined, 'not_icontains', 'a', true],
  ['/products/12', 'regex', String.raw`^/products/\d+$`, true],
  ['/products/x', 'regex', String.raw`^/products/\d+$`, false],
  ['a', 'not_regex', 'a', false],
  [undefined, 'not_regex', 'a', true],
  [10, 'gt', 9, true],
  ['10', 'gt', '9', true],
  [10, 'gt', 10, false],
  [10, 'gte', 10, true],
  [-1.5, 'lt', -1, true],
  [7, 'lte', '7.0', true],
  ['2026-02-01', 'gt', '2026-01-31', true],
  ['beta', 'lt', 'alpha', false],
  [undefined, 'lt', 5, false],
  [0, 'is_set', undefined, true],
  ['', 'is_set', undefined, true],
  [null, 'is_set', undefined, false],
  [undefined, 'is_not_set', undefined, true],
  [null, 'is_not_set', undefined, true],
])('%j %s %j: %s', async (property, operator, value, expected) => {
  expect(await passes(property, { operator, ...(value !== undefined && { value }) })).toBe(expected)
})

test('treats any text as a value or a name, never as SQL', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
    fc.constantFrom(
      "'",
      '\\',
      "\\'",
      '{value_0: String}',
      "') OR 1=1 --",
      '*/',
      '\n',
      '\t',
      '[1',
      '%s',
      '$1',
    ),
  )
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (value, other) => {
      expect(await passes(value, { value: [value, other] })).toBe(true)
      expect(await passes(value, { value: `${value}.` })).toBe(false)
      expect(await passes(`${other}${value}`, { operator: 'icontains', value })).toBe(true)
      if (other === '') return
      expect(await passes('x', { key: `${other}.`, operator: 'is_set' })).toBe(false)
    }),
    { numRuns: 50 },
  )
})
