import { expect, test } from 'vitest'
import { contrastBefore } from './page-state.ts'
import { EventType, type ReplayEvent } from './rrweb.ts'

const preferences = (timestamp: number, contrast?: string): ReplayEvent => ({
  type: EventType.Custom,
  timestamp,
  data: { tag: 'spool/preferences', payload: { scheme: 'light', contrast } },
})

test('the latest contrast before a time counts, else the first one after it', () => {
  const events = [preferences(10, 'more'), preferences(20, 'less'), preferences(30, 'no-preference')]
  const found = [5, 10, 11, 20, 21, 31].map((before) => contrastBefore(events, before))
  expect(found).toEqual(['more', 'more', 'more', 'more', 'less', 'no-preference'])
})

test('a contrast that was not reported is no preference', () => {
  expect(contrastBefore([], 10)).toBe('no-preference')
  expect(contrastBefore([preferences(1), preferences(2, 'loud')], 10)).toBe('no-preference')
})
