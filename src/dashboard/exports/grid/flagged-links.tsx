import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Window } from '../../../contract/interval.ts'
import type { LedgerFlag } from '../../../contract/runs/ledger-flags.ts'
import type { LedgerFlags } from '../../../contract/runs/ledger.ts'
import { count } from '../../format/amount.ts'
import { flagsByWeight, ledgerFlagInWords } from '../../format/ledger-flags.ts'
import { FlagSwatch } from './window-shapes.tsx'

/** The flags of flagged windows by the windows' start (ms). */
export type FlagsByStart = ReadonlyMap<number, readonly LedgerFlag[]>

export function flagsByStart({ windows }: LedgerFlags): FlagsByStart {
  return new Map(windows.map(({ start, flags }) => [Date.parse(start), flags]))
}

type FlaggedLinksProps = {
  exportId: string
  /** The windows whose flags are listed. */
  windows: readonly Window[]
  flags: FlagsByStart
}

/** Lists the flags that windows have; each leads to its windows in the ledger. */
export const FlaggedLinks = memo(function FlaggedLinks({ exportId, windows, flags }: FlaggedLinksProps) {
  const flagged = windows.filter(({ start }) => flags.has(start))
  if (flagged.length === 0) return null
  return (
    <ul aria-label="Windows to inspect" className="flex flex-wrap gap-x-3.5 gap-y-1 text-xs">
      {flagsByWeight.map((flag) => {
        const having = flagged.filter(({ start }) => flags.get(start)?.includes(flag))
        const [first, last] = [having[0], having.at(-1)]
        if (!first || !last) return null
        const search = { from: new Date(first.start).toISOString(), to: new Date(last.end).toISOString() }
        return (
          <li key={flag} className="flex items-center gap-1.5">
            <FlagSwatch />
            <Link
              to="/exports/$id/ledger"
              params={{ id: exportId }}
              search={search}
              className="rounded-sm leading-6 underline underline-offset-3"
            >
              {count(having.length)} {ledgerFlagInWords(flag)}
            </Link>
          </li>
        )
      })}
    </ul>
  )
})
