import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }

/** A form that a script submits; by default, its fields are below each other. */
export function Form({ onSubmit, className = 'flex flex-col gap-4', ...rest }: FormProps) {
  return (
    <form
      {...rest}
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        // The form of a dialog can be inside another form's components.
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}

type FormActionsProps = {
  onCancel: () => void
  busy?: boolean
  /** Why the form cannot be submitted; null if it can. */
  reason?: string | null
  /** The label of the button that submits. */
  children: ReactNode
}

/** The buttons at the end of a dialog's form: one closes the dialog, one submits the form. */
export function FormActions({ onCancel, busy = false, reason = null, children }: FormActionsProps) {
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onCancel}>Cancel</Button>
      <Button look="primary" type="submit" busy={busy} reason={reason}>
        {children}
      </Button>
    </div>
  )
}
