import { createAtom, useSelector } from '@tanstack/react-store'
import type { ExportOverview } from '../../../contract/overview.ts'

const wanted = createAtom<ReadonlyMap<string, boolean>>(new Map())

/** Shows these exports as paused, or as not, until the service has answered. */
export function showPaused(ids: readonly string[], paused: boolean): void {
  wanted.set((before) => new Map([...before, ...ids.map((id) => [id, paused] as const)]))
}

/** Shows these exports as the service says they are. */
export function showAsServed(ids: readonly string[]): void {
  wanted.set((before) => new Map([...before].filter(([id]) => !ids.includes(id))))
}

/** Which exports are being paused (true) or unpaused (false), by id. */
export function usePausing(): ReadonlyMap<string, boolean> {
  return useSelector(wanted)
}

/** The rows as they will be once the service has answered; those that nothing happens to stay the same objects. */
export function withPausing(
  rows: readonly ExportOverview[],
  pausing: ReadonlyMap<string, boolean>,
): readonly ExportOverview[] {
  if (pausing.size === 0) return rows
  return rows.map((row) => {
    const paused = pausing.get(row.id)
    if (paused === undefined || paused === row.paused) return row
    if (paused) return { ...row, paused, state: 'paused', next_window: null, last_paused_at: null }
    return { ...row, paused, state: row.failing_since === null ? 'healthy' : 'failing' }
  })
}
