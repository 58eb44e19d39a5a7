import { expect, test } from 'vitest'
import {
  decodeLedgerStates,
  encodeLedgerStates,
  ledgerFlagsOf,
  ledgerStateOf,
  ledgerStates,
  objectHash,
  VerifyInput,
  type JudgedEntry,
} from './ledger.ts'
import { usualRowsOf } from './usual-rows.ts'

const hour = 3_600_000
const week = 168 * hour
const start = Date.UTC(2026, 2, 10, 12)

const proven: JudgedEntry = {
  rows_expected: 10,
  rows_written: 10,
  rows_read: 10,
  rows_source: 10,
  hash_expected: 'a',
  hash_read: 'a',
  late_rows: 0,
  problem: null,
  verified: true,
  objects_found: 'intact',
}
const unverified: JudgedEntry = {
  ...proven,
  rows_read: null,
  rows_source: null,
  hash_expected: null,
  hash_read: null,
  verified: false,
  objects_found: null,
}

test.each([
  [{ checksum: `sha256:${'0'.repeat(64)}` }, 'sha256'],
  [{ checksum: 'etag:abc', checksum_read: `sha256:${'0'.repeat(64)}` }, 'sha256_read'],
  [{ checksum: 'crc32:00000000', checksum_read: `sha256:${'0'.repeat(64)}` }, 'crc32_sha256_read'],
  [{ checksum: 'etag:abc' }, 'etag'],
  [{ checksum: 'crc32:00000000' }, 'crc32'],
  [{ checksum: '9a0364b9e99bb480dd25e1f0284c8555-2' }, 'etag'],
])('what identifies the bytes of an object with %j is its %s', (object, hash) => {
  expect(objectHash(object)).toBe(hash)
})

test.each([
  ['what the run took is at the destination', proven, [], 'proven'],
  ['nothing was read back', unverified, [], 'unverified'],
  ['fewer rows were written than expected', { ...unverified, rows_expected: 11 }, ['short'], 'refuted'],
  ['fewer rows were read back', { ...proven, rows_read: 9, hash_read: 'b' }, ['short'], 'refuted'],
  ['other rows were read back', { ...proven, hash_read: 'b' }, ['changed'], 'refuted'],
  ['more rows were read back', { ...proven, rows_read: 11, hash_read: 'b' }, ['changed'], 'refuted'],
  ['an object has other bytes', { ...proven, objects_found: 'changed' as const }, ['changed'], 'refuted'],
  [
    'an object is missing',
    { ...unverified, verified: true, objects_found: 'gone' as const },
    ['gone'],
    'refuted',
  ],
  ['the source lost rows', { ...proven, rows_source: 8, hash_expected: 'b' }, ['source'], 'refuted'],
  ['rows arrived after the run', { ...proven, late_rows: 3 }, ['late'], 'proven'],
  ['the destination cannot be read', { ...unverified, verified: true, problem: 'Denied.' }, [], 'unreadable'],
])('flags and state of a window: %s', (_, entry: JudgedEntry, flags, state) => {
  const found = ledgerFlagsOf(entry, null)
  expect([found, ledgerStateOf(entry, found)]).toEqual([flags, state])
})

const wrote = (rows: number) => ({ ...unverified, rows_expected: rows, rows_written: rows })
const weeks = (rows: readonly number[]) =>
  usualRowsOf(
    rows.map((count, index) => ({
      start: start - (index + 1) * week,
      end: start - (index + 1) * week + hour,
      rows: count,
    })),
  )({ start, end: start + hour })

test.each([
  ['no rows, where one earlier week had some', 0, [7], ['zero']],
  ['no rows, as usual', 0, [0, 0, 5], []],
  ['no rows, without an earlier week', 0, [], []],
  ['a quarter of the median', 250, [900, 1000, 1000, 5000], []],
  ['less than a quarter', 249, [900, 1000, 1000, 5000], ['unusual']],
  ['four times the median', 4000, [900, 1000, 1000, 5000], []],
  ['more than four times', 4001, [900, 1000, 1000, 5000], ['unusual']],
  ['more than four times that of only three weeks', 4001, [1000, 1000, 1000], []],
  ['small numbers', 99, [1, 1, 1, 1], []],
  ['a burst where there were few', 100, [1, 1, 1, 1], ['unusual']],
])('flags of a volume: %s', (_, rows, history, flags) => {
  expect(ledgerFlagsOf(wrote(rows), weeks(history))).toEqual(flags)
})

test('a window is compared with windows of its length and hour of the week in the eight weeks before', () => {
  const minutes = 60_000
  const window = { start: start + 20 * minutes, end: start + 25 * minutes }
  const at = (offset: number, rows: number, length = 5 * minutes) => ({
    start: start + offset,
    end: start + offset + length,
    rows,
  })
  const usual = usualRowsOf([
    at(-week, 10),
    at(-week + 55 * minutes, 20),
    at(-2 * week, 30),
    at(-week, 999, hour),
    at(-week + hour, 999),
    at(-9 * week, 999),
    at(0, 999),
    at(week, 999),
  ])
  expect(usual(window)).toEqual({ rows: 20, weeks: 2 })
})

test('states survive encoding, and unknown letters become skipped', () => {
  expect(decodeLedgerStates(encodeLedgerStates(ledgerStates))).toEqual(ledgerStates)
  expect(decodeLedgerStates('p?')).toEqual(['proven', 'skipped'])
})

test('a verification requires windows or a period', () => {
  const issues = (input: unknown) => VerifyInput.safeParse(input).error?.issues.map(({ message }) => message)
  expect(issues({})).toEqual(["Send 'windows', or 'start' and 'end'."])
  expect(issues({ start: '2026-01-01', end: '2026-01-02' })).toBeUndefined()
  expect(issues({ windows: ['2026-01-01T00:00:00Z'] })).toBeUndefined()
})
