import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { EndpointName } from '../../contract/endpoints.ts'
import { invalidate } from './endpoint-query.ts'

/** A mutation that awaits new responses of the `changed` endpoints, so that its button stays busy until the lists are fresh. */
export function useChange<Input, Output>(
  changed: readonly EndpointName[],
  mutationFn: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => invalidate(client, ...changed) })
}
