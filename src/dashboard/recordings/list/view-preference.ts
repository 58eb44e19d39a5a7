import { createAtom, useSelector } from '@tanstack/react-store'
import { z } from 'zod'

export type Density = 'compact' | 'roomy'

/** How this browser shows the list; `columns` are the headers of the chosen columns, null for the usual ones. */
const ViewPreference = z.object({
  density: z.enum(['compact', 'roomy']).catch('compact'),
  columns: z.array(z.string()).nullable().catch(null),
})
type ViewPreference = z.infer<typeof ViewPreference>

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
    return ViewPreference.parse(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    // Invalid storage, for example edited by hand, is replaced by the defaults.
    return ViewPreference.parse({})
  }
}
