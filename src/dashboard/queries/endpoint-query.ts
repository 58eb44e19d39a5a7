import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { EndpointName } from '../../contract/endpoints.ts'
import { call, type CallInput } from '../api/call.ts'

/** One endpoint's answer as query options; its key is [endpoint name, input]. */
export function endpointQuery<Name extends EndpointName>(name: Name, input: CallInput<Name>) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => call(name, input, { signal }),
  })
}

/** Makes every cached answer of these endpoints stale, and waits until those on the page are fresh. */
export async function invalidate(client: QueryClient, ...names: EndpointName[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}
