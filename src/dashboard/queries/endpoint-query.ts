import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { EndpointName, ResponseOf } from '../../contract/endpoints.ts'
import { call, type CallInput } from '../api/call.ts'

/** Invalidates the `dependents` whenever the `watched` part of a response differs from the previous response. */
type Watch<Name extends EndpointName> = {
  watched: (response: ResponseOf<Name>) => string
  dependents: readonly EndpointName[]
}

/**
 * Returns query options for one endpoint; the query key is [endpoint name, input]. With `watch`, the endpoint is polled on
 * behalf of its dependents, which are fetched only when the watched part changes.
 */
export function endpointQuery<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  watch?: Watch<Name>,
) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: async ({ signal, client, queryKey }) => {
      const response = await call(name, input, { signal })
      const previous = client.getQueryData<ResponseOf<Name>>(queryKey)
      if (watch && previous !== undefined && watch.watched(previous) !== watch.watched(response))
        void invalidate(client, ...watch.dependents)
      return response
    },
  })
}

/** Marks all cached responses of these endpoints as stale, and waits until those in use are fetched again. */
export async function invalidate(client: QueryClient, ...names: EndpointName[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}

/**
 * Keeps the old rows on the page while another page or filter of the same list is fetched. `params` identify the list: the
 * rows of another project or export are not kept.
 */
export function keepRowsOf(params: Record<string, string>) {
  const list = JSON.stringify(params)
  return <Data>(previous: Data | undefined, query?: { queryKey: readonly unknown[] }): Data | undefined =>
    JSON.stringify(paramsIn(query?.queryKey[1])) === list ? previous : undefined
}

function paramsIn(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'params' in input ? input.params : undefined
}

/** Sends a change from outside a component as a mutation, so that the mutation cache handles a 401. */
export function sendMutation<ResponseBody>(client: QueryClient, send: () => Promise<ResponseBody>) {
  return client.getMutationCache().build(client, { mutationFn: send }).execute(undefined)
}
