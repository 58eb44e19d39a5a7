import { expect, test } from 'vitest'
import { backfillRange } from './backfill-range.ts'

const now = Date.UTC(2026, 10, 21, 12, 30)
const read = (start_at: unknown, end_at: unknown) => backfillRange({ start_at, end_at }, 'hour', now)

test.each([
  [undefined, '2026-01-01T00:00:00Z', "Both 'start_at' and 'end_at' must be specified"],
  ['2026-01-01T00:00:00Z', null, "Both 'start_at' and 'end_at' must be specified"],
  ['yesterday', '2026-01-01T00:00:00Z', 'Input yesterday is not a valid ISO formatted datetime.'],
  [7, '2026-01-01T00:00:00Z', 'Input 7 is not a valid ISO formatted datetime.'],
  ['2026-01-01T00:00:00', '2026-01-02T00:00:00Z', 'Input 2026-01-01T00:00:00 is naive.'],
  [
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z',
    "The initial backfill datetime 'start_at' happens after 'end_at'",
  ],
  [
    '2026-01-01T00:00:00Z',
    '2026-11-21T13:30:01Z',
    "The provided 'end_at' (2026-11-21T13:30:01+00:00) is too far into the future. Cannot backfill beyond 1 batch period into the future.",
  ],
])('rejects a backfill from %j to %j: %s', (start, end, detail) => {
  expect(read(start, end)).toEqual({ ok: false, detail })
})

test('rejects more than 10,000 runs and names their number', () => {
  const result = read('2025-01-01T00:00:00Z', '2026-11-01T00:00:00Z')
  expect(result).toMatchObject({ ok: false, detail: expect.stringContaining('16056 runs') })
})

test('a backfill covers every whole interval that its range touches', () => {
  expect(read('2026-11-20T09:59:00+01:00', '2026-11-20T10:01:00+01:00')).toEqual({
    ok: true,
    range: { start: Date.UTC(2026, 10, 20, 8), end: Date.UTC(2026, 10, 20, 10) },
    runs: 2,
  })
})
