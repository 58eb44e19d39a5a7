import { useLayoutEffect, type RefObject } from 'react'
import { registerModal } from './modals.ts'

/** Shows a dialog as modal while it is rendered. */
export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  // Closing the dialog before it is removed returns the focus to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    dialog.showModal()
    const unregister = registerModal(dialog)
    return () => {
      dialog.close()
      unregister()
    }
  }, [ref])
}
