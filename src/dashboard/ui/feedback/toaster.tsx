import { useSelector } from '@tanstack/react-store'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from '../icon.tsx'
import { keyInWords } from '../key-hint.tsx'
import { useTopModal } from '../modals.ts'
import { closeToast, holdToast, releaseToast, toastMs, toasts, undoNewest, type Toast } from './toasts.ts'
import { useKeys } from '../use-keys.ts'
import { useNow } from '../use-now.ts'

/** Renders toasts in a live region, above any dialog and any floating bar. */
export function Toaster() {
  const shown = useSelector(toasts)
  const modal = useTopModal()
  const undoable = shown.some(({ undo }) => undo !== undefined)
  useKeys({ 'mod+z': undoable ? { does: 'Undo', run: undoNewest } : null }, 'everywhere')
  return createPortal(
    <output
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-20 flex flex-col items-end gap-2 print:hidden max-[1400px]:[body:has([data-floating-bar])_&]:bottom-20 max-sm:[body:has([data-floating-bar])_&]:bottom-28"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </output>,
    modal ?? document.body,
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, text, tone, note, undo, retry, more, awaited } = toast
  const close = () => closeToast(id)
  const closeThen = (run: () => void) => () => {
    close()
    run()
  }
  const release = () => releaseToast(id)
  // A card that moves into or out of a dialog gets no pointerleave event.
  useEffect(() => () => releaseToast(id), [id])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only holds the countdown
    <div
      onPointerEnter={() => holdToast(id)}
      onPointerLeave={release}
      onFocus={() => holdToast(id)}
      onBlur={release}
      className="pointer-events-auto flex max-w-120 items-center gap-3 rounded-md bg-ink py-2 pr-2 pl-3.5 text-bg shadow-overlay"
    >
      {tone === 'failed' && <Icon name="alert" />}
      <span className="min-w-0 wrap-anywhere">
        {text}
        {note && <span className="block text-xs opacity-80 select-all">{note}</span>}
      </span>
      {awaited && <Ring toast={toast} />}
      {undo && <ToastButton text="Undo" title={keyInWords('mod+z')} onClick={closeThen(undo)} />}
      {retry && <ToastButton text="Retry" onClick={closeThen(retry)} />}
      {more && <ToastButton text={more.label} onClick={closeThen(more.run)} />}
      {!awaited && (
        <button type="button" aria-label="Close" className="p-1" onClick={close}>
          <Icon name="close" size={14} />
        </button>
      )}
    </div>
  )
}

function ToastButton({ text, title, onClick }: { text: string; title?: string; onClick: () => void }) {
  return (
    <button
      type="button"
      title={title}
      onClick={onClick}
      className="px-1.5 py-0.5 font-semibold underline underline-offset-3"
    >
      {text}
    </button>
  )
}

/** The time left, as a ring and in seconds. */
function Ring({ toast: { countdown } }: { toast: Toast }) {
  const seconds = useNow(() => Math.ceil((countdown?.remaining() ?? 0) / 1000))
  const held = countdown?.isHeld() ?? false
  return (
    <span aria-hidden="true" className="relative grid size-6 shrink-0 place-items-center text-[11px]">
      <svg viewBox="0 0 24 24" className="absolute inset-0 -rotate-90" fill="none" stroke="currentColor">
        <circle cx="12" cy="12" r="10" strokeWidth="2" opacity="0.25" />
        <circle
          cx="12"
          cy="12"
          r="10"
          strokeWidth="2"
          pathLength="1"
          strokeDasharray="1"
          className="run-out"
          style={{ animationDuration: `${toastMs}ms`, animationPlayState: held ? 'paused' : 'running' }}
        />
      </svg>
      {seconds}
    </span>
  )
}
