import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Window } from '../../../contract/interval.ts'
import type { LedgerFlag } from '../../../contract/runs/ledger-flags.ts'
import { count } from '../../format/amount.ts'
import { flagsByWeight, ledgerFlagInWords } from '../../format/ledger-flags.ts'
import type { FlagsByStart } from './flags-by-start.ts'
import { FlagSwatch } from './window-shapes.tsx'

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
  const having = (flag: LedgerFlag) => flagged.filter(({ start }) => flags.get(start)?.includes(flag))
  return (
    <ul aria-label="Windows to inspect" className="flex flex-wrap gap-x-3.5 gap-y-1 text-xs">
      {flagsByWeight.map((flag) => {
        const [first, last, amount] = [having(flag)[0], having(flag).at(-1), having(flag).length]
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
              {count(amount)} {ledgerFlagInWords(flag)}
            </Link>
          </li>
        )
      })}
    </ul>
  )
})
