import type { LedgerObject, Ledger, LedgerState, VerifyMode } from '../../contract/runs/ledger.ts'
import { count, counted } from './amount.ts'
import { flagsByWeight, ledgerFlagInWords } from './ledger-flags.ts'

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

/** Describes a period in one sentence: `718 of 720 windows proven, 1 changed at the destination, 1 not verified yet`. */
export function ledgerInWords({ windows, states, flags }: Ledger['totals']): string {
  const proven = `${count(states['proven'] ?? 0)} of ${counted(windows, 'window')} proven`
  const part = (number: number | undefined, words: string) => (number ? [`${count(number)} ${words}`] : [])
  return [
    proven,
    ...flagsByWeight.flatMap((flag) => part(flags[flag], ledgerFlagInWords(flag))),
    ...totalStates.flatMap((state) => part(states[state], ledgerStateInWords(state))),
  ].join(', ')
}

/** The checksum of an object's bytes, and the one that the first verification added. */
export function checksumInWords({ checksum, checksum_read }: LedgerObject): string {
  return checksum_read === undefined ? checksum : `${checksum}, since the first verification ${checksum_read}`
}
