import { Suspense, useState, type ReactNode } from 'react'
import { Button, type ButtonLook } from './button.tsx'

type DialogButtonProps = { label: string; look?: ButtonLook; children: (onClose: () => void) => ReactNode }

/** A button that opens a dialog, which may be loaded when it is first shown. */
export function DialogButton({ label, look = 'plain', children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense>{isOpen && children(() => setOpen(false))}</Suspense>
    </>
  )
}
