import { createAtom, useSelector } from '@tanstack/react-store'
import { createContext } from 'react'

const open = createAtom<readonly HTMLElement[]>([])
const top = createAtom(() => open.get().at(-1) ?? null)

/** Tells of a modal dialog that has opened; call the answer when it closes. */
export function modalOpened(element: HTMLElement): () => void {
  open.set((others) => [...others, element])
  return () => open.set((all) => all.filter((other) => other !== element))
}

/** The modal dialog that holds the page, null without one. What is outside of it can be neither clicked nor focused. */
export function topModal(): HTMLElement | null {
  return top.get()
}

export function useTopModal(): HTMLElement | null {
  return useSelector(top)
}

/** The dialog around what is being rendered. */
export const DialogAround = createContext<{ readonly current: HTMLElement | null } | null>(null)
