import { useEffect, useRef } from 'react'

export type PaletteAction = {
  /** Its name among all entries, by which recent choices are remembered. */
  id: string
  label: string
  /** Shown beside it: a state, a place. */
  hint?: string | undefined
  /** Why the action is not possible now. */
  reason?: string | null
  /** A key that does the same. */
  key?: string
  run: () => void
}

let registered: readonly { actions: () => readonly PaletteAction[] }[] = []

/** Offers actions of what is on the page in the palette. What has a key, by `useKeys`, is offered there already. */
export function usePaletteActions(actions: readonly PaletteAction[]): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const entry = { actions: () => latest.current }
    registered = [...registered, entry]
    return () => {
      registered = registered.filter((other) => other !== entry)
    }
  }, [])
}

/** The actions that the page offers now. */
export function paletteActionsNow(): PaletteAction[] {
  return registered.flatMap(({ actions }) => actions())
}
