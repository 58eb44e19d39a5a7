import { useLayoutEffect, type RefObject } from 'react'
import { modalOpened } from './modals.ts'

/** Shows a dialog above everything else as long as it is rendered. */
export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  // Closed before it leaves the page, so that the focus goes back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    dialog.showModal()
    const closed = modalOpened(dialog)
    return () => {
      dialog.close()
      closed()
    }
  }, [ref])
}
