import type { ReactNode } from 'react'
import { Button } from './controls/button.tsx'
import { Dialog } from './controls/dialog.tsx'
import { ProblemNote } from './feedback/problem-note.tsx'

type ConfirmDialogProps = {
  title: string
  /** The consequences of the action. */
  children: ReactNode
  /** Label of the confirming button: a verb. */
  action: string
  /** Label of the cancelling button. */
  back?: string
  busy?: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, back = 'Cancel', busy = false, error = null, onConfirm, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div className="text-ink-2">{children}</div>
        {error && <ProblemNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button data-cancel onClick={onClose}>
            {back}
          </Button>
          <Button look="danger" busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
