import { expect, test } from 'vitest'
import { healthSentence } from './health-sentence.ts'

const none = { total: 30, complete: 30, failing: 0, auto_paused: 0, paused: 0, to_repair: 0 }
const sentence = (exports: Partial<typeof none>, since: string | null = null) =>
  healthSentence({ exports: { ...none, ...exports } }, since)

test('says in numbers whether all exports are complete, and what is wrong', () => {
  expect(sentence({})).toBe('All 30 exports complete.')
  expect(sentence({ complete: 27, failing: 2, to_repair: 11 }, '09:00')).toBe(
    '27 of 30 exports complete; 2 failing since 09:00; 11 windows to repair.',
  )
  expect(sentence({ complete: 28, auto_paused: 1, paused: 3, to_repair: 1 })).toBe(
    '28 of 30 exports complete; 1 paused after failures; 1 window to repair; 3 paused.',
  )
})

test('words one export and none', () => {
  expect(sentence({ total: 1, complete: 1 })).toBe('The export is complete.')
  expect(sentence({ total: 1, complete: 0, to_repair: 1200 })).toBe(
    '0 of 1 export complete; 1,200 windows to repair.',
  )
  expect(sentence({ total: 0, complete: 0 })).toBe('No exports yet.')
})
