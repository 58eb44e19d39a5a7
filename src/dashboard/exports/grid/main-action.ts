import { createContext, use, useEffect } from 'react'

/** Receives whether the panel beside the grid shows the page's main action, so that the header shows none. */
export const MainActionContext = createContext<(isInPanel: boolean) => void>(() => undefined)

export function useMainActionInPanel(isInPanel: boolean): void {
  const report = use(MainActionContext)
  useEffect(() => {
    report(isInPanel)
    return () => report(false)
  }, [report, isInPanel])
}
