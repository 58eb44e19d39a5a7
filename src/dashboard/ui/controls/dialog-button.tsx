import { Suspense, useState, type ReactNode } from 'react'
import { Button, type ButtonLook } from './button.tsx'

type DialogButtonProps = {
  label: string
  look?: ButtonLook
  /** Why the dialog cannot be opened; null if it can. */
  reason?: string | null
  children: (onClose: () => void) => ReactNode
}

/** A button that opens a dialog, which may be loaded when it is first shown. */
export function DialogButton({ label, look = 'plain', reason = null, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look={look} reason={reason} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense>{isOpen && children(() => setOpen(false))}</Suspense>
    </>
  )
}
