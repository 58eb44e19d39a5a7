import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { Button } from './button.tsx'
import { Icon } from '../icon.tsx'
import { EnclosingDialog, useModal } from '../modals.ts'
import { afterPaint } from './next-paint.ts'

type DialogProps = {
  title: ReactNode
  onClose: () => void
  /** A drawer fills the right side of the window, a sheet more of it; a dialog is centred. */
  kind?: 'dialog' | 'drawer' | 'sheet'
  /** For content that is shown only once: neither Escape nor a Close button closes the dialog, only a button in its content. */
  persistent?: boolean
  children: ReactNode
}

const boxes = {
  dialog: 'm-auto max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-lg rounded-lg',
  drawer: 'mt-0 mr-0 ml-auto h-dvh max-h-none w-full max-w-xl',
  sheet: 'mt-0 mr-0 ml-auto h-dvh max-h-none w-full max-w-3xl',
}

/** A modal dialog, open while it is rendered. */
export function Dialog({ title, onClose, kind = 'dialog', persistent = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal(ref)
  useLayoutEffect(() => initialFocus(ref.current)?.focus(), [])
  // Closing lays out the whole page again.
  const close = () => void afterPaint(ref.current, onClose)
  const request = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!persistent) close()
  }
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      closedby={persistent ? 'none' : kind === 'dialog' ? 'closerequest' : 'any'}
      onCancel={(event) => {
        // The owner decides whether the dialog closes.
        if (event.target !== ref.current) return
        request(event)
      }}
      onKeyDown={(event) => {
        // For one Escape in a date field, Chrome asks twice to close the dialog, and the second request cannot be prevented: the
        // dialog would close before it is dimmed.
        if (event.defaultPrevented || event.key !== 'Escape') return
        if (event.target instanceof HTMLInputElement && event.target.type.startsWith('date')) request(event)
      }}
      onClose={() => {
        // A second Escape closes the dialog even if the first was prevented.
        if (ref.current?.open !== false) return
        if (persistent) ref.current.showModal()
        else onClose()
      }}
      className={`overflow-y-auto border border-line text-left whitespace-normal bg-raised p-0 shadow-overlay ${boxes[kind]}`}
    >
      <div className="sticky top-0 z-1 flex items-start gap-3 border-b border-line bg-raised px-4 py-3">
        <h2 id={id} tabIndex={-1} className="min-w-0 flex-1 pt-1 text-lg wrap-anywhere outline-none">
          {title}
        </h2>
        {!persistent && (
          <Button look="quiet" size="icon" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </Button>
        )}
      </div>
      <EnclosingDialog value={ref}>
        <div className="p-4">{children}</div>
      </EnclosingDialog>
    </dialog>
  )
}

/** Returns the element to focus first: a form's first field, the field of a list to choose from, a question's cancelling button, else the heading. */
function initialFocus(dialog: HTMLElement | null): HTMLElement | null | undefined {
  return (
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea), [role=combobox], [data-cancel]') ??
    dialog?.querySelector('h2')
  )
}
