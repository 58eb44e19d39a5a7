import { expect, test } from 'vitest'
import {
  backfillTimeLeft,
  outlastsInWords,
  runOutlastsInWords,
  runTimeLeft,
  timeLeftInWords,
} from './time-left.ts'

const minute = 60_000
/** Runs of 1,000 records that took these minutes. */
const past = (...minutes: number[]) => minutes.map((each) => ({ duration: each * minute, records: 1000 }))

test('a run’s time left lies between its own speed and halfway to the usual speed', () => {
  expect(runTimeLeft({ left: 1000, perSecond: 0 }, past(2, 3, 4, 5, 6))).toEqual({
    from: 3 * minute,
    to: 5 * minute,
  })
  // At its own speed 1,000 records take 10 minutes.
  expect(runTimeLeft({ left: 1000, perSecond: 1000 / 600 }, past(2, 2, 2))).toEqual({
    from: 6 * minute,
    to: 10 * minute,
  })
  const alone = runTimeLeft({ left: 600, perSecond: 1 }, [])
  expect(alone && timeLeftInWords(alone)).toBe('about 8–12 min left')
  expect(runTimeLeft({ left: 5, perSecond: 0 }, [{ duration: 0, records: 0 }])).toBeNull()
})

test('a backfill’s time left follows its pace and the spread of past runs', () => {
  const progress = { finished: 10, total: 30, elapsed: 5 * minute }
  expect(backfillTimeLeft(progress, past(1, 2, 2, 2, 4))).toEqual({ from: 9 * minute, to: 11 * minute })
  expect(backfillTimeLeft(progress, past(1, 1, 2, 4, 4))).toEqual({ from: 5 * minute, to: 20 * minute })
  expect(backfillTimeLeft({ ...progress, finished: 0 }, [])).toBeNull()
  expect(backfillTimeLeft({ ...progress, finished: 30 }, [])).toBeNull()
})

test.each([
  [1000, 7000, 'a few seconds left'],
  [21_000, 42_000, 'about 20–40 s left'],
  [2 * minute, 4 * minute, 'about 2–4 min left'],
  [170_000, 190_000, 'about 3 min left'],
  [60 * minute, 180 * minute, 'about 1–3 h left'],
])('%i to %i ms: %s', (from, to, text) => {
  expect(timeLeftInWords({ from, to })).toBe(text)
})

test('warns of runs that take longer than their window', () => {
  expect(outlastsInWords('hour', 70 * minute, 'takes')).toBe('takes 70 min, but windows are an hour apart')
  expect(outlastsInWords('every 5 minutes', 7 * minute, 'takes')).toBe(
    'takes 7 min, but windows are 5 min apart',
  )
  expect(outlastsInWords('hour', 60 * minute, 'takes')).toBeNull()
})

test('warns of a scheduled run that outlasts the next window, but not of a run of a backfill, which waits', () => {
  const run = { backfill: null, created_at: '2026-03-04T10:00:00Z', last_updated_at: '2026-03-04T10:50:00Z' }
  const warning = 'Will take about 70 min, but windows are an hour apart'
  expect(runOutlastsInWords(run, 'hour', 20 * minute)).toBe(warning)
  expect(runOutlastsInWords(run, 'hour', 10 * minute)).toBeNull()
  expect(runOutlastsInWords({ ...run, backfill: 'one' }, 'hour', 20 * minute)).toBeNull()
})
