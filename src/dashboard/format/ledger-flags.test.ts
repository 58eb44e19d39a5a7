import { expect, test } from 'vitest'
import { ledgerFlags } from '../../contract/runs/ledger-flags.ts'
import { flagsByWeight, flagsInWords } from './ledger-flags.ts'

test('counts windows by flag, the most serious flag first', () => {
  expect(flagsInWords([{ flags: ['late'] }, { flags: ['gone', 'late'] }])).toBe(
    '1 gone from the destination, 2 with late rows',
  )
  expect(flagsInWords([{ flags: ['late', 'gone'] }], (flag) => flag)).toBe('1 gone, 1 late')
  expect(flagsInWords([])).toBe('')
})

test('every flag has a weight', () => {
  expect([...flagsByWeight].sort()).toEqual([...ledgerFlags].sort())
})
