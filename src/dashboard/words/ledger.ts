import type { Ledger, LedgerFlag, LedgerState, VerifyMode } from '../../contract/ledger.ts'
import { count, counted } from './amount.ts'

/** Describes the state of a window in the ledger. */
export function ledgerStateInWords(state: LedgerState): string {
  switch (state) {
    case 'proven':
      return 'proven'
    case 'unverified':
      return 'not verified yet'
    case 'refuted':
      return 'differs from what was written'
    case 'unreadable':
      return 'could not be read back'
    case 'unrecorded':
      return 'exported before the ledger existed'
    case 'missing':
      return 'not delivered'
    case 'pending':
      return 'not delivered yet'
    case 'skipped':
      return 'not due'
  }
}

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

export function verifyModeInWords(mode: VerifyMode): string {
  switch (mode) {
    case 'never':
      return 'on request'
    case 'each_run':
      return 'after each run'
    case 'nightly':
      return 'a sample every night'
  }
}

const totalStates: readonly LedgerState[] = ['unverified', 'unreadable', 'unrecorded', 'missing', 'pending']
const totalFlags: readonly LedgerFlag[] = ['gone', 'changed', 'short', 'source', 'late', 'zero', 'unusual']

/** Describes a period in one sentence: `718 of 720 windows proven, 1 changed at the destination, 1 not verified yet`. */
export function ledgerInWords({ windows, states, flags }: Ledger['totals']): string {
  const proven = `${count(states['proven'] ?? 0)} of ${counted(windows, 'window')} proven`
  const part = (number: number | undefined, words: string) => (number ? [`${count(number)} ${words}`] : [])
  return [
    proven,
    ...totalFlags.flatMap((flag) => part(flags[flag], ledgerFlagInWords(flag))),
    ...totalStates.flatMap((state) => part(states[state], ledgerStateInWords(state))),
  ].join(', ')
}
