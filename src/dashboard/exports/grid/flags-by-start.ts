import type { LedgerFlag } from '../../../contract/runs/ledger-flags.ts'
import type { LedgerFlags } from '../../../contract/runs/ledger.ts'

/** The flags of flagged windows by the windows' start (ms). */
export type FlagsByStart = ReadonlyMap<number, readonly LedgerFlag[]>

const none: FlagsByStart = new Map()

export function flagsByStart(flagged: LedgerFlags | undefined): FlagsByStart {
  if (!flagged || flagged.windows.length === 0) return none
  return new Map(flagged.windows.map(({ start, flags }) => [Date.parse(start), flags]))
}
