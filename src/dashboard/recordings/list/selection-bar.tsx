import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/button.tsx'
import { FloatingBar, type BatchProgress } from '../../ui/list/floating-bar.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { count } from '../../words/amount.ts'
import { possibleFor, type Deed } from './deeds.ts'

type SelectionBarProps = {
  rows: readonly SessionRecording[]
  progress: BatchProgress | null
  onAct: (deed: Deed, rows: readonly SessionRecording[]) => void
  onClear: () => void
}

/** What can be done with the chosen recordings. */
export function SelectionBar({ rows, progress, onAct, onClear }: SelectionBarProps) {
  const { scopes } = useAccount()
  return (
    <FloatingBar
      label="Selected recordings"
      status={`${count(rows.length)} selected`}
      progress={progress}
      onClear={onClear}
    >
      {buttons.map(({ deed, label, shortcut }) => {
        const { reason } = possibleFor(deed, rows, scopes)
        return (
          <Button
            key={deed}
            look={deed === 'delete' ? 'danger' : 'plain'}
            reason={reason}
            busy={progress !== null}
            onClick={() => onAct(deed, rows)}
          >
            {label}
            {shortcut && !reason && <KeyHint of={shortcut} />}
          </Button>
        )
      })}
    </FloatingBar>
  )
}

const buttons: readonly { deed: Deed; label: string; shortcut?: string }[] = [
  { deed: 'share', label: 'Share', shortcut: 's' },
  { deed: 'summarize', label: 'Summarize', shortcut: 'm' },
  { deed: 'keep', label: 'Keep' },
  { deed: 'watched', label: 'Watched' },
  { deed: 'unwatched', label: 'Unwatched' },
  { deed: 'delete', label: 'Delete', shortcut: 'd' },
]
