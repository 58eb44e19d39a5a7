import type { QueryClient } from '@tanstack/react-query'

/** Sends a change from outside a component as a mutation, so that the mutation cache handles a 401. */
export function sendMutation<ResponseBody>(
  client: QueryClient,
  send: () => Promise<ResponseBody>,
): Promise<ResponseBody> {
  return client.getMutationCache().build(client, { mutationFn: send }).execute(undefined)
}
