import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { EndpointName, ResponseOf } from '../../contract/endpoints.ts'
import { call, type CallInput } from '../api/call.ts'

/** What makes other endpoints' cached answers stale: a part of this one's answer that has changed since the last look. */
type Telling<Name extends EndpointName> = {
  part: (answer: ResponseOf<Name>) => string
  others: readonly EndpointName[]
}

/**
 * One endpoint's answer as query options; its key is [endpoint name, input]. With `telling`, it is looked at on behalf of
 * others, which are fetched only when it shows something new.
 */
export function endpointQuery<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  telling?: Telling<Name>,
) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: async ({ signal, client, queryKey }) => {
      const answer = await call(name, input, { signal })
      const before = client.getQueryData<ResponseOf<Name>>(queryKey)
      if (telling && before !== undefined && telling.part(before) !== telling.part(answer))
        void invalidate(client, ...telling.others)
      return answer
    },
  })
}

/** Makes every cached answer of these endpoints stale, and waits until those on the page are fresh. */
export async function invalidate(client: QueryClient, ...names: EndpointName[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}

/**
 * Keeps the old rows on the page while another page or filter of the same list is fetched. `params` name the list: the
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
