import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem, isStatus } from '../api/problem.ts'

/** An answer of this age is looked at again when somebody comes back to the tab. */
const freshMs = 15_000

/** Makes the cache of the service's answers. `onUnauthorized` hears of every 401, whoever asked. */
export function createQueryClient(onUnauthorized: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isStatus(error, 401)) onUnauthorized()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 1_000,
        retry: shouldRetry,
        retryDelay,
        networkMode: 'always',
        // Whoever comes back to the tab sees what is there now, unless it was looked at a moment ago.
        refetchOnWindowFocus: ({ state }) => Date.now() - state.dataUpdatedAt > freshMs,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** A longer wait than this is shown instead, with the service's own words. */
const patienceMs = 5_000

function shouldRetry(failures: number, error: unknown): boolean {
  return isStatus(error, 429) && failures < 3 && (error.retryAfterMs ?? 0) <= patienceMs
}

function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiProblem ? error.retryAfterMs : null
  return asked ?? 1000 * 2 ** failures
}
