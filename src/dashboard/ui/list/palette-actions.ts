import { useEffect, useRef } from 'react'

export type PaletteAction = {
  /** Names it among all entries, for what was chosen recently. */
  id: string
  label: string
  /** What is said beside it: a state, a place. */
  hint?: string | undefined
  /** Why it is not possible now. */
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

/** What the page offers now. */
export function paletteActionsNow(): PaletteAction[] {
  return registered.flatMap(({ actions }) => actions())
}
