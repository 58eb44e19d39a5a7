import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLists, parseSnapshots } from './parse-snapshots.ts'

const snapshot = fc.dictionary(fc.string(), fc.jsonValue())
const properties = fc.record(
  { $session_id: fc.string(), $snapshot_data: fc.array(snapshot), text: fc.string({ unit: 'binary' }) },
  { requiredKeys: ['$snapshot_data'] },
)
const item = fc.record({ event: fc.string(), properties })
const items = fc.array(item, { minLength: 1 })
const body = fc.oneof(item, items, fc.record({ api_key: fc.string(), batch: items }))

function parse(json: string | Buffer, snapshotsMax = 4) {
  const found = findLists(Buffer.from(json), { snapshotsMax, depthMax: 10 })
  return found && parseSnapshots(found)
}

test('parses a request as JSON.parse does, and knows the JSON of each snapshot', () => {
  fc.assert(
    fc.property(body, (sent) => {
      const json = JSON.stringify(sent)
      const parsed = parse(json, 50_000)
      fc.pre(parsed !== null)
      expect(parsed.value).toEqual(JSON.parse(json))
      for (const [event, source] of parsed.sources) expect(JSON.parse(String(source))).toEqual(event)
    }),
    { numRuns: 50 },
  )
})

const list = '"$snapshot_data":[{"a":1},{"b":"]\\"}"}]'

test.each([
  ['a list', `[{"properties":{${list}}}]`, 2],
  ['an empty list', '[{"properties":{"$snapshot_data":[]}}]', 0],
  ['an item besides one with a number', `[{"properties":{${list}}},{"properties":{"$snapshot_data":0}}]`, 2],
  ['lists of two items', `{"batch":[{"properties":{${list}}},{"properties":{"x":0,${list}}}]}`, 4],
])('keeps the JSON of each snapshot of %s', (_, json, count) => {
  const parsed = parse(json)
  expect(parsed?.value).toEqual(JSON.parse(json))
  expect(parsed?.sources.size).toBe(count)
})

test.each([
  ['a request without snapshots', '[{"properties":{}}]'],
  ['more snapshots than allowed', `[{"properties":{${list.replace('[', '[{},{},{},')}}}]`],
  ['line breaks', `[{"properties":{${list}\n}}]`],
  ['white space', `[{"properties":{${list.replace(',', ', ')}}}]`],
  ['a value that is no object', `[{"properties":{${list.replace(']}', ',null]}')}}]`],
  ['invalid UTF-8', Buffer.from(`[{"properties":{${list}},"x":"\xff"}]`, 'latin1')],
  ['a list elsewhere', `[{"properties":{"x":{${list}}}}]`],
  ['two lists of one item', `[{"properties":{${list},${list}}}]`],
  ['a number joined to a list', `[{"properties":{${list}e0}}]`],
  ['more empty lists than allowed', `[${'{"properties":{"$snapshot_data":[]}},'.repeat(5)}{}]`],
  ['deep nesting', `[{"properties":{${list.replace('1', '[[[[[]]]]]')}}}]`],
  ['an invalid snapshot', `[{"properties":{${list.replace('1', '01')}}}]`],
  ['a list that does not end', `[{"properties":{${list.slice(0, -1)}`],
  ['a bracket that does not fit', `[{"properties":{${list.replace('1}', '1]')}}}]`],
])('leaves %s to others', (_, json) => {
  expect(parse(json)).toBeNull()
})

test.each([
  ['white space', '{"type": 4}'],
  ['an exponent', '{"type":40e-1}'],
  ['a number too large', '{"type":1E999}'],
  ['too many digits', `{"type":${'9'.repeat(400)}}`],
  ['an escaped letter in a key', '{"\\u0074ype":4}'],
  ['an escaped slash', '{"type":"a\\/b"}'],
])('has a snapshot with %s serialised again, as readers of stored lines expect it', (_, unusual) => {
  const usual = JSON.stringify({ a: [true, null, false, -1.5e-9 * 1e9, 'é\u001b\n"\\u0074 e'] })
  const json = `[{"properties":{"$snapshot_data":[${usual},${unusual},${usual}]}}]`
  const parsed = parse(json)
  expect(parsed?.value).toEqual(JSON.parse(json))
  expect(Array.from(parsed?.sources.values() ?? [], String)).toEqual([usual, usual])
})
