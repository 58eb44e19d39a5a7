import { expect, test } from 'vitest'
import type { PersonExport } from '../../../contract/recordings/person.ts'
import { claimsOf, comparedInWords } from './person-exports.tsx'

function held(model: PersonExport['model'], windows: number): PersonExport {
  return {
    id: `${model} ${windows}`,
    name: 'An export',
    model,
    interval: 'hour',
    filtered: false,
    windows,
    runs: [],
  }
}

test('claims name the model, the number of exports and their windows together', () => {
  expect(claimsOf([held('events', 10), held('persons', 1), held('events', 4)])).toEqual([
    '2 exports contain events of this person in 14 completed windows.',
    '1 export contains the profile of this person in 1 completed window.',
  ])
})

test('the comparison says how many exports it covers', () => {
  expect(comparedInWords({ checked: 0, total: 0 })).toBe('This project has no exports.')
  expect(comparedInWords({ checked: 1, total: 1 })).toContain('completed runs of the only export,')
  expect(comparedInWords({ checked: 100, total: 140 })).toContain('completed runs of 100 of 140 exports,')
  expect(comparedInWords({ checked: 3, total: 3 })).toContain('completed runs of all 3 exports,')
})
