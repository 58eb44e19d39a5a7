import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from './endpoint-query.ts'

/** Milliseconds before the members are fetched again; they rarely change. */
const staleTime = 60_000

/** Returns the members to whom errors or problems can be assigned, as a picker needs them. */
export function useAssignees(name: 'errorAssignees' | 'problemAssignees', projectId: string) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(name, { params: { project_id: projectId } }),
    staleTime,
  })
  return { people: data, error, onRetry: () => void refetch() }
}
