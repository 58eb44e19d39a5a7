import type { LedgerFlag } from '../../contract/runs/ledger-flags.ts'
import { count } from './amount.ts'

/** In the order of their weight. */
const words: Record<LedgerFlag, string> = {
  gone: 'gone from the destination',
  changed: 'changed at the destination',
  short: 'with too few rows',
  source: 'with rows changed at the source',
  erased: 'with an erased person',
  late: 'with late rows',
  zero: 'without any rows',
  unusual: 'with an unusual number of rows',
}

/** All flags, the most serious first. */
export const flagsByWeight = Object.keys(words) as readonly LedgerFlag[]

/** Describes a flag so that the words can follow a window or a number of windows: `3 with late rows`. */
export function ledgerFlagInWords(flag: LedgerFlag): string {
  return words[flag]
}

/** Counts the windows with each flag, the most serious first: `1 gone from the destination, 3 with late rows`. */
export function flagsInWords(
  windows: readonly { flags: readonly LedgerFlag[] }[],
  describe: (flag: LedgerFlag) => string = ledgerFlagInWords,
): string {
  return flagsByWeight
    .flatMap((flag) => {
      const amount = windows.filter(({ flags }) => flags.includes(flag)).length
      return amount === 0 ? [] : [`${count(amount)} ${describe(flag)}`]
    })
    .join(', ')
}
