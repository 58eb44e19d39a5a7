import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { call } from '../../api/call.ts'
import { showRecordings } from '../../queries/recordings/recordings.ts'

/** Recordings per request. */
const idsMax = 50
/** Delays (ms) between requests: each that brings nothing doubles the next. */
const delayMs = { first: 3_000, max: 60_000 }

type Rows = { rows: readonly SessionRecording[]; tableRef: RefObject<HTMLElement | null> }

/**
 * Asks again for the facts of rendered rows whose visits the service had not read when the list was loaded. Only the facts
 * change, so rows keep their places.
 */
export function useLateFacts({ rows, tableRef }: Rows): void {
  const { projectId } = useAccount()
  const missing = new Set(rows.flatMap(({ id, visit }) => (visit ? [] : id)))
  useQuery({
    // More rows, or other ones, start with a short delay.
    queryKey: ['lateFacts', projectId, rows.length, missing.size],
    enabled: missing.size > 0,
    queryFn: async ({ signal, client }) => {
      const ids = renderedIds(tableRef.current).filter((id) => missing.has(id))
      if (ids.length === 0) return 0
      const query = { session_ids: JSON.stringify(ids.slice(0, idsMax)), limit: idsMax, offset: 0 }
      const params = { project_id: projectId }
      const { results } = await call('listSessionRecordings', { params, query }, { signal })
      const visits = new Map(results.flatMap(({ id, visit }) => (visit ? [[id, visit]] : [])))
      showRecordings(client, new Set(visits.keys()), (row) => ({
        ...row,
        visit: visits.get(row.id) ?? row.visit,
      }))
      return visits.size
    },
    // The list itself has just said that these facts are missing.
    initialData: 0,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state: { dataUpdateCount, errorUpdateCount } }) =>
      Math.min(delayMs.max, delayMs.first * 2 ** (dataUpdateCount + errorUpdateCount)),
  })
}

function renderedIds(table: HTMLElement | null): string[] {
  return [...(table?.querySelectorAll<HTMLElement>('tr[data-id]') ?? [])].flatMap(
    ({ dataset }) => dataset['id'] ?? [],
  )
}
