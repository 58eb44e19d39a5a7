import { createAtom, useSelector } from '@tanstack/react-store'
import { formatInstant } from '../../../contract/instant.ts'
import { windowAt } from '../../../contract/interval.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'

/** The requested state of each export, by id: true if it is being paused. */
const pending = createAtom<ReadonlyMap<string, boolean>>(new Map())

/** Shows these exports as paused or unpaused before the service responds. */
export function showPaused(ids: readonly string[], paused: boolean): void {
  pending.set((before) => new Map([...before, ...ids.map((id) => [id, paused] as const)]))
}

/** Shows these exports in the state that the service reports. */
export function showAsServed(ids: readonly string[]): void {
  pending.set((before) => new Map([...before].filter(([id]) => !ids.includes(id))))
}

/** Returns the exports that are being paused (true) or unpaused (false), by id. */
export function usePausing(): ReadonlyMap<string, boolean> {
  return useSelector(pending)
}

/** Returns the rows with pending changes applied; unchanged rows stay the same objects. */
export function withPausing(
  rows: readonly ExportOverview[],
  pausing: ReadonlyMap<string, boolean>,
): readonly ExportOverview[] {
  if (pausing.size === 0) return rows
  return rows.map((row) => {
    const paused = pausing.get(row.id)
    if (paused === undefined || paused === row.paused) return row
    const change = { ...row, paused, paused_because: null, pause_reason: null, paused_until: null }
    if (paused) return { ...change, state: 'paused', next_window: null, last_paused_at: null }
    const { start, end } = windowAt(row.interval, Date.now())
    const next = { start: formatInstant(start), end: formatInstant(end) }
    return { ...change, state: row.failing_since === null ? 'healthy' : 'failing', next_window: next }
  })
}
