import { useSyncExternalStore } from 'react'
import type { ExportOverview } from '../../../contract/overview.ts'

const listeners = new Set<() => void>()
let wanted: ReadonlyMap<string, boolean> = new Map()

/** Shows these exports as paused, or as not, until the service has answered. */
export function showPaused(ids: readonly string[], paused: boolean): void {
  change(new Map([...wanted, ...ids.map((id) => [id, paused] as const)]))
}

/** Shows these exports as the service says they are. */
export function showAsServed(ids: readonly string[]): void {
  const rest = new Map(wanted)
  for (const id of ids) rest.delete(id)
  change(rest)
}

/** Which exports are being paused (true) or unpaused (false), by id. */
export function usePausing(): ReadonlyMap<string, boolean> {
  return useSyncExternalStore(subscribe, () => wanted)
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: ReadonlyMap<string, boolean>): void {
  wanted = next
  for (const listener of listeners) listener()
}
