import { useEffect, useRef } from 'react'

export type PaletteAction = {
  /** Identifies the entry among the recently used ones. */
  id: string
  label: string
  /** Shown next to the label, such as a state or a location. */
  hint?: string | undefined
  /** Why the action is disabled. */
  reason?: string | null
  /** Key that performs the same action. */
  key?: string
  run: () => void
}

let registered: readonly { actions: () => readonly PaletteAction[] }[] = []

/**
 * Adds the page's actions to the palette; a function is called when the palette opens, instead of at each render. Actions bound by
 * `useKeys` are listed there already.
 */
export function usePaletteActions(
  actions: readonly PaletteAction[] | (() => readonly PaletteAction[]),
): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const entry = {
      actions: () => (typeof latest.current === 'function' ? latest.current() : latest.current),
    }
    registered = [...registered, entry]
    return () => {
      registered = registered.filter((other) => other !== entry)
    }
  }, [])
}

/** Returns the actions that the page currently offers. */
export function paletteActionsNow(): PaletteAction[] {
  return registered.flatMap(({ actions }) => actions())
}
