import { createAtom, useSelector } from '@tanstack/react-store'
import { z } from 'zod'

/** Width of the inspector, in CSS pixels; the usual width depends on that of the window. */
export const inspectorWidth = {
  min: 260,
  max: 900,
  usual: Math.round(Math.min(Math.max(innerWidth * 0.26, 300), 420)),
} as const

const storageKey = 'spool.inspector'
const InspectorSize = z.object({
  width: z.number().min(inspectorWidth.min).max(inspectorWidth.max).catch(inspectorWidth.usual),
  isFolded: z.boolean().catch(false),
})
type InspectorSize = z.infer<typeof InspectorSize>

const current = createAtom(stored())

/** How wide the inspector is, and whether it is folded; kept on this device. */
export function useInspectorSize(): InspectorSize {
  return useSelector(current)
}

export function resizeInspector(width: number): void {
  const { min, max } = inspectorWidth
  change({ width: Math.round(Math.min(Math.max(width, min), max)), isFolded: false })
}

export function foldInspector(isFolded: boolean): void {
  change({ isFolded })
}

function change(part: Partial<InspectorSize>): void {
  current.set((before) => ({ ...before, ...part }))
  localStorage.setItem(storageKey, JSON.stringify(current.get()))
}

function stored(): InspectorSize {
  try {
    return InspectorSize.parse(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    // Invalid storage, for example edited by hand, is replaced by the defaults.
    return { width: inspectorWidth.usual, isFolded: false }
  }
}
