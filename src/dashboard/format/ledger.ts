import type {
  LedgerEntry,
  LedgerObject,
  Ledger,
  LedgerState,
  VerifyMode,
} from '../../contract/runs/ledger.ts'
import { count, counted } from './amount.ts'
import { flagsByWeight, ledgerFlagInWords } from './ledger-flags.ts'

const stateWords: Record<LedgerState, string> = {
  proven: 'proven',
  unverified: 'not verified yet',
  sent: 'sent, cannot be read back',
  refuted: 'differs from what was written',
  unreadable: 'could not be read back',
  unrecorded: 'exported before the ledger existed',
  missing: 'not delivered',
  pending: 'not delivered yet',
  skipped: 'not due',
}

/** Describes the state of a window in the ledger. */
export function ledgerStateInWords(state: LedgerState): string {
  return stateWords[state]
}

/** Describes what the verification of a proven window compared: `12,304 rows sent, 12,304 found, equal`. */
export function proofInWords({
  rows_written,
  rows_read,
}: Pick<LedgerEntry, 'rows_written' | 'rows_read'>): string {
  return `${counted(rows_written, 'row')} sent, ${count(rows_read ?? 0)} found, equal`
}

const modeWords: Record<VerifyMode, string> = {
  never: 'on request',
  each_run: 'after each run',
  nightly: 'a sample every night',
}

export function verifyModeInWords(mode: VerifyMode): string {
  return modeWords[mode]
}

const totalStates: readonly LedgerState[] = [
  'unverified',
  'sent',
  'unreadable',
  'unrecorded',
  'missing',
  'pending',
]

/** Describes a period in one sentence: `718 of 720 windows proven, 1 changed at the destination, 1 not verified yet`. */
export function ledgerInWords({ windows, states, flags }: Ledger['totals']): string {
  const part = (number: number | undefined, words: string) => (number ? [`${count(number)} ${words}`] : [])
  return [
    `${count(states['proven'] ?? 0)} of ${counted(windows, 'window')} proven`,
    ...flagsByWeight.flatMap((flag) => part(flags[flag], ledgerFlagInWords(flag))),
    ...totalStates.flatMap((state) => part(states[state], ledgerStateInWords(state))),
  ].join(', ')
}

/** The checksum of an object's bytes, and the one that the first verification added. */
export function checksumInWords({ checksum, checksum_read }: LedgerObject): string {
  return checksum_read === undefined ? checksum : `${checksum}, since the first verification ${checksum_read}`
}
