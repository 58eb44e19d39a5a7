import { createContext, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let open: readonly HTMLElement[] = []

/** Tells of a modal dialog that has opened; call the answer when it closes. */
export function modalOpened(element: HTMLElement): () => void {
  change([...open, element])
  return () => change(open.filter((other) => other !== element))
}

/** The modal dialog that holds the page, null without one. What is outside of it can be neither clicked nor focused. */
export function topModal(): HTMLElement | null {
  return open.at(-1) ?? null
}

export function useTopModal(): HTMLElement | null {
  return useSyncExternalStore(subscribe, topModal)
}

/** The dialog around what is being rendered. */
export const DialogAround = createContext<{ readonly current: HTMLElement | null } | null>(null)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: readonly HTMLElement[]): void {
  open = next
  for (const listener of listeners) listener()
}
