import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { EndpointName } from '../../contract/endpoints.ts'
import { invalidate } from './endpoint-query.ts'

/**
 * A request that changes something; the responses of the `changed` endpoints are fetched again afterwards, by default also
 * if the request failed.
 */
export function useChange<ResponseBody, Input = void>(
  send: (input: Input) => Promise<ResponseBody>,
  changed: readonly EndpointName[],
  when: 'onSettled' | 'onSuccess' = 'onSettled',
) {
  const client = useQueryClient()
  const refetch = () => invalidate(client, ...changed)
  return useMutation({
    mutationFn: send,
    ...(when === 'onSuccess' ? { onSuccess: refetch } : { onSettled: refetch }),
  })
}
