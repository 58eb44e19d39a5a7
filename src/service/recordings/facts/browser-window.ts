import { NodeTable } from './node-table.ts'

/** A browser window (a tab) of the session. */
export type BrowserWindow = {
  id: string
  table: NodeTable
  href: string
  /** Pixels. */
  height: number
  /** When its page was requested (ms since the epoch); null once the page shows content. */
  blankSince: number | null
}

/** Windows kept, each with its page's nodes; beyond this, the oldest are dropped. */
const windowsMax = 20

/** Finds a window by its id, or adds it. */
export function windowOf(windows: Map<string, BrowserWindow>, id: string): BrowserWindow {
  const known = windows.get(id)
  if (known) return known
  const opened = { id, table: new NodeTable(), href: '', height: 800, blankSince: null }
  windows.set(id, opened)
  const [oldest] = windows.keys()
  if (windows.size > windowsMax && oldest !== undefined) windows.delete(oldest)
  return opened
}
