import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem, isStatus } from '../api/problem.ts'

/** Age (ms) from which data is fetched again when the user returns to the tab. */
const refetchAfterMs = 15_000

/** Creates the cache of the service's responses; calls `onUnauthorized` on every 401. */
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
        refetchOnWindowFocus: ({ state }) => Date.now() - state.dataUpdatedAt > refetchAfterMs,
      },
      mutations: { retry: shouldRetry, retryDelay, networkMode: 'always' },
    },
  })
}

/** Longest wait (ms) before an automatic retry; if the service asks for more, its error is shown instead. */
const retryWaitMaxMs = 5_000

function shouldRetry(failures: number, error: unknown): boolean {
  return isStatus(error, 429) && failures < 3 && (error.retryAfterMs ?? 0) <= retryWaitMaxMs
}

function retryDelay(failures: number, error: unknown): number {
  const requested = error instanceof ApiProblem ? error.retryAfterMs : null
  return requested ?? 1000 * 2 ** failures
}
