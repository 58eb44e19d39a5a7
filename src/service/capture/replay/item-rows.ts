import type { WindowTime } from '../../../contract/recordings/snapshot.ts'
import type { SessionKey } from '../../store/recordings/recording-blocks.ts'
import type { ReplayItem } from './replay-item.ts'

type Item = Pick<
  ReplayItem,
  'uuid' | 'windowId' | 'consoleEntries' | 'failedRequests' | 'fullSnapshots' | 'activeUntil'
>

/** Returns the full snapshots and the windows in use, by which a player loads only the blocks that one moment needs. */
export function windowTimes(items: readonly Item[]) {
  const active = new Map<string, number>()
  for (const { windowId, activeUntil } of items)
    if (activeUntil !== null) active.set(windowId, Math.max(active.get(windowId) ?? 0, activeUntil))
  return {
    full_snapshots: items.flatMap(({ windowId, fullSnapshots }) =>
      fullSnapshots.map((time): WindowTime => [windowId, time]),
    ),
    active_windows: [...active],
  }
}

/** Returns rows for the warehouse, as JSON. */
export function consoleLines({ project_id, session_id }: SessionKey, items: readonly Item[]): string[] {
  return items.flatMap(({ uuid, windowId, consoleEntries }) =>
    consoleEntries.map((entry) =>
      JSON.stringify({
        ...entry,
        timestamp: new Date(entry.timestamp).toISOString(),
        team_id: project_id,
        session_id,
        window_id: windowId,
        item: uuid,
      }),
    ),
  )
}

/** Returns rows for the warehouse, as JSON. */
export function failedRequestLines({ project_id, session_id }: SessionKey, items: readonly Item[]): string[] {
  const requests = items.flatMap(({ failedRequests }) => failedRequests)
  return requests.map(({ host, status }) => JSON.stringify({ team_id: project_id, session_id, host, status }))
}
