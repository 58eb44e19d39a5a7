import { useState, type ReactNode } from 'react'
import { Button } from './controls/button.tsx'
import { Dialog } from './controls/dialog.tsx'
import { Icon } from './icon.tsx'
import { toast } from './feedback/toasts.ts'

/** A secret, masked until it is revealed, with a button that copies it. */
export function Secret({ label, value }: { label: string; value: string }) {
  const [shown, setShown] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => toast(`${label} copied.`),
      () => {
        setShown(true)
        toast('The browser blocked copying. Select the text and copy it.', { tone: 'failed' })
      },
    )
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-md border border-line-strong bg-sunken px-3 py-2">
      <code aria-label={label} className="min-w-0 flex-1 wrap-anywhere select-all">
        {shown ? value : `${value.slice(0, 4)}${'•'.repeat(24)}`}
      </code>
      <Button onClick={() => setShown(!shown)}>{shown ? 'Hide' : 'Show'}</Button>
      <Button onClick={() => void copy()}>
        <Icon name="copy" /> Copy
      </Button>
    </div>
  )
}

type SecretDialogProps = {
  title: string
  /** Name of the secret. */
  label: string
  /** Title once there is a secret, and what it is for. */
  readyTitle: string
  about: string
  onClose: () => void
  /** Renders the form, which passes on the secret that it has created. */
  renderForm: (onSecret: (secret: string) => void) => ReactNode
}

/** A dialog with a form that creates a secret, which is then shown once. */
export function SecretDialog({ title, label, readyTitle, about, onClose, renderForm }: SecretDialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  if (secret !== null)
    return (
      <NewSecretDialog title={readyTitle} label={label} about={about} secret={secret} onClose={onClose} />
    )
  return (
    <Dialog title={title} onClose={onClose}>
      {renderForm(setSecret)}
    </Dialog>
  )
}

type NewSecretDialogProps = Pick<SecretDialogProps, 'title' | 'label' | 'about' | 'onClose'> & {
  secret: string
}

/** Shows a secret once, with what it is for. */
export function NewSecretDialog({ title, label, about, secret, onClose }: NewSecretDialogProps) {
  return (
    <Dialog title={title} persistent onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p>{about}</p>
        <Secret label={label} value={secret} />
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
