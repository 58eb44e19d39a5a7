import type { LedgerFlag } from '../../contract/runs/ledger-flags.ts'
import { count } from './amount.ts'

/** All flags, the most serious first. */
export const flagsByWeight: readonly LedgerFlag[] = [
  'gone',
  'changed',
  'short',
  'source',
  'late',
  'zero',
  'unusual',
]

/** Describes a flag so that the words can follow a window or a number of windows: `3 with late rows`. */
export function ledgerFlagInWords(flag: LedgerFlag): string {
  switch (flag) {
    case 'short':
      return 'with too few rows'
    case 'changed':
      return 'changed at the destination'
    case 'gone':
      return 'gone from the destination'
    case 'source':
      return 'with rows changed at the source'
    case 'late':
      return 'with late rows'
    case 'zero':
      return 'without any rows'
    case 'unusual':
      return 'with an unusual number of rows'
  }
}

/** Counts the windows with each flag, the most serious first: `1 gone from the destination, 3 with late rows`. */
export function flagsInWords(
  windows: readonly { flags: readonly LedgerFlag[] }[],
  words: (flag: LedgerFlag) => string = ledgerFlagInWords,
): string {
  return flagsByWeight
    .flatMap((flag) => {
      const amount = windows.filter(({ flags }) => flags.includes(flag)).length
      return amount === 0 ? [] : [`${count(amount)} ${words(flag)}`]
    })
    .join(', ')
}
