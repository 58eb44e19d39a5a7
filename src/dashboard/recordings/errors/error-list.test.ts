import { expect, test } from 'vitest'
import { visitorsInWords } from './error-list.tsx'

test('the number of visitors is exact, and says if it leaves out sessions without a recording', () => {
  const row = { visitors: 2, unique_sessions: 2, session_ids: ['a', 'b'], unrecorded: 0 }
  expect(visitorsInWords(row)).toBe('2 visitors')
  expect(visitorsInWords({ ...row, visitors: 1 })).toBe('1 visitor')
  expect(visitorsInWords({ ...row, unique_sessions: 5, unrecorded: 3 })).toBe('2 visitors with a recording')
  expect(visitorsInWords({ ...row, unique_sessions: 300 })).toBe('2 visitors with a recording')
})
