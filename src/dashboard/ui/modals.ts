import { createAtom, useSelector } from '@tanstack/react-store'
import { createContext, useLayoutEffect, type RefObject } from 'react'

const open = createAtom<readonly HTMLElement[]>([])
const top = createAtom(() => open.get().at(-1) ?? null)

/** Registers an open modal dialog; call the returned function when it closes. */
export function registerModal(element: HTMLElement): () => void {
  open.set((others) => [...others, element])
  return () => open.set((all) => all.filter((other) => other !== element))
}

/** Returns the topmost modal dialog, or null. Nothing outside it can be clicked or focused. */
export function topModal(): HTMLElement | null {
  return top.get()
}

export function useTopModal(): HTMLElement | null {
  return useSelector(top)
}

/** The dialog that contains the component. */
export const EnclosingDialog = createContext<{ readonly current: HTMLElement | null } | null>(null)

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
