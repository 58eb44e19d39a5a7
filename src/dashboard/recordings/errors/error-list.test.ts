import { expect, test } from 'vitest'
import { visitors } from './error-list.tsx'

test('the number of visitors is exact only if all sessions with the error were recorded', () => {
  const row = { visitors: 2, unique_sessions: 2, session_ids: ['a', 'b'], unrecorded: 0 }
  expect(visitors(row)).toBe('2')
  expect(visitors({ ...row, unique_sessions: 5, unrecorded: 3 })).toBe('2+')
  expect(visitors({ ...row, unique_sessions: 300 })).toBe('2+')
  expect(visitors({ ...row, visitors: 0 })).toBeNull()
})
