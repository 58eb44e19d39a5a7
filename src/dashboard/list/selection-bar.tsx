import type { ExportOverview } from '../../contract/overview.ts'
import { useAccount } from '../account.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import { count } from '../words/amount.ts'
import { possibleFor, type Deed } from './deeds.ts'

/** What is being done to many exports right now. */
export type Progress = { doing: string; ended: number; of: number }

type SelectionBarProps = {
  rows: readonly ExportOverview[]
  /** How many of them the filters hide. */
  hidden: number
  progress: Progress | null
  onAct: (deed: Deed, rows: readonly ExportOverview[]) => void
  onClear: () => void
}

/** What can be done with the chosen exports; it floats over the list's end. */
export function SelectionBar({ rows, hidden, progress, onAct, onClear }: SelectionBarProps) {
  return (
    <section
      aria-label="Selected exports"
      data-floating-bar
      className="fixed bottom-4 left-4 z-10 flex max-w-[calc(100vw-32px)] flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised py-1.5 pr-1.5 pl-3.5 shadow-overlay md:left-[232px] md:max-w-[calc(100vw-256px)]"
    >
      <output className="mr-1.5 font-semibold whitespace-nowrap">
        {progress
          ? `${progress.doing}, ${count(progress.ended)} of ${count(progress.of)}`
          : `${count(rows.length)} selected${hidden > 0 ? `, ${count(hidden)} of them hidden by the filters` : ''}`}
      </output>
      {buttons.map(({ deed, label, shortcut }) => (
        <DeedButton
          key={deed}
          deed={deed}
          label={label}
          shortcut={shortcut}
          rows={rows}
          busy={progress !== null}
          onAct={onAct}
        />
      ))}
      <Button look="quiet" size="icon" aria-label="Select nothing" onClick={onClear}>
        <Icon name="close" />
      </Button>
    </section>
  )
}

const buttons: readonly { deed: Deed; label: string; shortcut?: string }[] = [
  { deed: 'pause', label: 'Pause', shortcut: 'p' },
  { deed: 'unpause', label: 'Unpause', shortcut: 'p' },
  { deed: 'backfill', label: 'Backfill', shortcut: 'b' },
  { deed: 'retry', label: 'Retry failed', shortcut: 'r' },
  { deed: 'delete', label: 'Delete' },
]

type DeedButtonProps = Pick<SelectionBarProps, 'rows' | 'onAct'> & {
  deed: Deed
  label: string
  shortcut?: string | undefined
  busy: boolean
}

function DeedButton({ deed, label, shortcut, rows, busy, onAct }: DeedButtonProps) {
  const { scopes } = useAccount()
  const { reason } = possibleFor(deed, rows, scopes)
  // One key does either; where both are possible it pauses.
  const hasKey = deed !== 'unpause' || possibleFor('pause', rows, scopes).reason !== null
  return (
    <Button
      look={deed === 'delete' ? 'danger' : 'plain'}
      reason={reason}
      busy={busy}
      onClick={() => onAct(deed, rows)}
    >
      {label}
      {shortcut && hasKey && !reason && <KeyHint of={shortcut} />}
    </Button>
  )
}
