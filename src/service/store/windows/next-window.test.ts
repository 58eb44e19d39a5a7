import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { intervalLength, intervals, windowAt } from '../../../contract/interval.ts'
import { nextWindow, scheduleOf } from '../../../contract/exports/schedule.ts'
import { testServices } from '../../testing/test-services.ts'
import { nextWindowEnd } from './next-window.ts'

let testing: Awaited<ReturnType<typeof testServices>>
beforeAll(async () => {
  testing = await testServices({ now: () => 0 })
})
afterAll(() => testing.stop())

/** Any time in two centuries, and the bounds of windows, give or take a millisecond. */
const anyTime = fc
  .tuple(
    fc.integer({ min: Date.UTC(1950, 0, 1), max: Date.UTC(2150, 0, 1) }),
    fc.constantFrom(...intervals),
    fc.constantFrom(null, -1, 0, 1),
  )
  .map(([time, interval, offset]) => (offset === null ? time : windowAt(interval, time).start + offset))

/** Each bound is absent, any time, or at the bound of a window near the cursor. */
const row = fc.tuple(fc.constantFrom(...intervals), anyTime).chain(([interval, cursor]) => {
  const edge = fc
    .tuple(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-1, 0, 1))
    .map(
      ([windows, offset]) => windowAt(interval, cursor).start + windows * intervalLength(interval) + offset,
    )
  const bound = fc.option(fc.oneof(anyTime, edge).map((time) => new Date(time)))
  return fc.record({
    interval: fc.constant(interval),
    scheduled_until: fc.constant(new Date(cursor)),
    start_at: bound,
    end_at: bound,
  })
})

test('PostgreSQL and the contract agree on the next window of every schedule', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 200, maxLength: 400 }), async (rows) => {
      const { rows: found } = await sql<{ end: Date | null }>`
        SELECT ${nextWindowEnd} AS end FROM unnest(
          ${rows.map(({ interval }) => interval)}::text[], ${rows.map((each) => each.scheduled_until)}::timestamptz[],
          ${rows.map((each) => each.start_at)}::timestamptz[], ${rows.map((each) => each.end_at)}::timestamptz[]
        ) WITH ORDINALITY AS batch_exports (interval, scheduled_until, start_at, end_at, position)
        ORDER BY position`.execute(testing.services.store)
      const expected = rows.map((each) => nextWindow(scheduleOf(each), each.scheduled_until.getTime()))
      expect(found.map(({ end }) => end?.getTime() ?? null)).toEqual(
        expected.map((window) => window?.end ?? null),
      )
    }),
    { numRuns: 25 },
  )
})
