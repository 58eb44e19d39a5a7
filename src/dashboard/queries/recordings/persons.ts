import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'

/** A person's events, newest first, page by page; `name` undefined for all. */
export function personEventsQuery(projectId: string, id: string, name: string | undefined) {
  const params = { project_id: projectId, person_id: id }
  const query = name === undefined ? {} : { event: name }
  return infiniteQueryOptions({
    queryKey: ['eventsOfPerson', { params, query, pages: true }] as const,
    queryFn: ({ signal, pageParam: cursor }) =>
      call('eventsOfPerson', { params, query: { ...query, ...(cursor && { cursor }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next && new URL(next).searchParams.get('cursor'),
    placeholderData: keepRowsOf(params),
    refetchOnWindowFocus: false,
  })
}

/** The persons that a text finds. */
export function personsQuery(projectId: string, search: string) {
  return endpointQuery('findPersons', { params: { project_id: projectId }, query: { search } })
}
