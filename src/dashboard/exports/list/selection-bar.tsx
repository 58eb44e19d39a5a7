import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/button.tsx'
import { FloatingBar, type BatchProgress } from '../../ui/list/floating-bar.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { count } from '../../words/amount.ts'
import { possibleFor, type Deed } from './deeds.ts'

type SelectionBarProps = {
  rows: readonly ExportOverview[]
  /** How many of them the filters hide. */
  hidden: number
  progress: BatchProgress | null
  onAct: (deed: Deed, rows: readonly ExportOverview[]) => void
  onClear: () => void
}

/** What can be done with the chosen exports; it floats over the list's end. */
export function SelectionBar({ rows, hidden, progress, onAct, onClear }: SelectionBarProps) {
  return (
    <FloatingBar
      label="Selected exports"
      status={`${count(rows.length)} selected${hidden > 0 ? `, ${count(hidden)} of them hidden by the filters` : ''}`}
      progress={progress}
      onClear={onClear}
    >
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
    </FloatingBar>
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
