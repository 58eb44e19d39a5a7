import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import type { FollowedLink } from './snapshots.ts'

/** The recording that a link opens. Every request counts as a view, so it is sent once. */
export function openedLinkQuery({ token, password }: FollowedLink) {
  const params = { access_token: token }
  return queryOptions({
    queryKey: ['openLink', { params, password }] as const,
    queryFn: ({ signal }) => call('openLink', { params }, { signal, key: null, password }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: false,
  })
}
