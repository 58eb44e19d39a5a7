import { createAtom, useSelector } from '@tanstack/react-store'

export type Density = 'compact' | 'roomy'

/** How this browser shows the list; `columns` are the headers of the chosen columns, null for the usual ones. */
export type ViewPreference = { density: Density; columns: readonly string[] | null }

const storageKey = 'spool.recordings'
const current = createAtom<ViewPreference>(readStored())

export function useViewPreference(): ViewPreference {
  return useSelector(current)
}

export function setViewPreference(change: Partial<ViewPreference>): void {
  current.set((before) => ({ ...before, ...change }))
  localStorage.setItem(storageKey, JSON.stringify(current.get()))
}

function readStored(): ViewPreference {
  try {
    const { density, columns }: Partial<Record<string, unknown>> = JSON.parse(
      localStorage.getItem(storageKey) ?? '{}',
    )
    return {
      density: density === 'roomy' ? 'roomy' : 'compact',
      columns: Array.isArray(columns) ? columns.filter((header) => typeof header === 'string') : null,
    }
  } catch {
    // Invalid storage, for example edited by hand, is replaced by the defaults.
    return { density: 'compact', columns: null }
  }
}
