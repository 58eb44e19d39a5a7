import { Icon } from './icon.tsx'
import { closeToast, useToasts, type Toast } from './toasts.ts'

/** Where toasts appear, and where a screen reader hears them. */
export function Toaster() {
  const toasts = useToasts()
  return (
    <output
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-20 flex flex-col items-end gap-2"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </output>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const act = () => {
    toast.undo?.()
    closeToast(toast.id)
  }
  return (
    <div className="pointer-events-auto flex max-w-120 items-center gap-3 rounded-md bg-ink py-2 pr-2 pl-3.5 text-bg shadow-overlay">
      {toast.tone === 'failed' && <Icon name="alert" />}
      <span className="min-w-0 wrap-anywhere">{toast.text}</span>
      {toast.undo && (
        <button type="button" onClick={act} className="px-1 font-semibold underline underline-offset-3">
          Undo
        </button>
      )}
      <button type="button" aria-label="Close" className="p-1" onClick={() => closeToast(toast.id)}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}
