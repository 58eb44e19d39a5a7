import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { createContext, useMemo } from 'react'
import type {
  MatchedMoment,
  MatchedMoments,
  SessionRecording,
} from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { type RecordingFilter, withoutOrder } from '../../queries/recordings/recordings-search.ts'

/** Why the listed recordings match the filter, by their ids. */
type Matched = ReadonlyMap<string, readonly MatchedMoment[]>
export const MatchedContext = createContext<Matched>(new Map())

/** Recordings per request. */
const idsMax = 50

/** Parameters whose match the row itself shows. */
const shownByRow = [
  'order',
  'order_direction',
  'date_from',
  'date_to',
  'timezone',
  'distinct_ids',
  'session_ids',
  'collection',
]

/** Fetches why the rows match the filter, after the rows: they are listed without waiting for the moments. */
export function useMatched(filter: RecordingFilter, rows: readonly SessionRecording[]): Matched {
  const { projectId } = useAccount()
  const queries = useMemo(() => {
    if (Object.keys(filter).every((name) => shownByRow.includes(name))) return []
    const ids = rows.map(({ id }) => id)
    return Array.from({ length: Math.ceil(ids.length / idsMax) }, (_, page) => {
      const some = JSON.stringify(ids.slice(page * idsMax, (page + 1) * idsMax))
      const query = { ...withoutOrder(filter), session_ids: some }
      return {
        ...endpointQuery('matchedMoments', { params: { project_id: projectId }, query }),
        staleTime: Infinity,
      }
    })
  }, [projectId, filter, rows])
  return useQueries({ queries, combine: byRecording })
}

function byRecording(results: UseQueryResult<MatchedMoments>[]): Matched {
  return new Map(results.flatMap(({ data }) => Object.entries(data?.results ?? {})))
}
