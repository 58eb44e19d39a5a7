import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { DialogAround } from './modals.ts'
import { useModal } from './use-modal.ts'

type DialogProps = {
  title: ReactNode
  onClose: () => void
  /** A drawer fills the window's right side, a dialog its middle. */
  kind?: 'dialog' | 'drawer'
  children: ReactNode
}

const boxes = {
  dialog: 'm-auto max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-lg rounded-lg',
  drawer: 'mt-0 mr-0 ml-auto h-dvh max-h-none w-full max-w-xl',
}

/** A modal dialog; it is open while it is rendered. */
export function Dialog({ title, onClose, kind = 'dialog', children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal(ref)
  useLayoutEffect(() => firstPlace(ref.current)?.focus(), [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      closedby={kind === 'drawer' ? 'any' : 'closerequest'}
      onCancel={(event) => {
        // Whether it closes is for the owner to say.
        if (event.target !== ref.current) return
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // The browser closes it all the same when Escape is pressed twice.
        if (ref.current?.open === false) onClose()
      }}
      className={`overflow-y-auto border border-line bg-raised p-0 shadow-overlay ${boxes[kind]}`}
    >
      <div className="sticky top-0 z-1 flex items-start gap-3 border-b border-line bg-raised px-4 py-3">
        <h2 id={id} tabIndex={-1} className="min-w-0 flex-1 pt-1 text-lg wrap-anywhere outline-none">
          {title}
        </h2>
        <Button look="quiet" size="icon" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <DialogAround value={ref}>
        <div className="p-4">{children}</div>
      </DialogAround>
    </dialog>
  )
}

/** Where somebody begins: at a form's first field, at the way back from a question, else at the heading. */
function firstPlace(dialog: HTMLElement | null): HTMLElement | null | undefined {
  return (
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea), [data-way-back]') ??
    dialog?.querySelector('h2')
  )
}
