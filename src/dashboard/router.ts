import { createRouter } from '@tanstack/react-router'
import { connection } from './api/connection.ts'
import { forgetUser } from './queries/account.ts'
import { routeTree } from './route-tree.gen.ts'
import { LoadingPage, NotFoundPage, ProblemPage } from './ui/feedback/whole-page.tsx'
import { afterPaint, nextPaint } from './ui/controls/next-paint.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem, isRefusal, isStatus } from './api/problem.ts'

/** Age (ms) from which data is fetched again when the user returns to the tab. */
const refetchAfterMs = 15_000

const onError = (error: unknown) => {
  if (isStatus(error, 401)) void leaveForLogin(error)
}
const requests = { retry: shouldRetry, retryDelay, networkMode: 'always' } as const

/** The cache of the service's responses. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      ...requests,
      staleTime: 1_000,
      refetchOnWindowFocus: ({ state }) => Date.now() - state.dataUpdatedAt > refetchAfterMs,
    },
    mutations: requests,
  },
})

/** Longest wait (ms) before an automatic retry; if the service asks for more, its error is shown instead. */
const retryWaitMaxMs = 5_000

function shouldRetry(failures: number, error: unknown): boolean {
  return isStatus(error, 429) && failures < 3 && (error.retryAfterMs ?? 0) <= retryWaitMaxMs
}

function retryDelay(failures: number, error: unknown): number {
  const requested = error instanceof ApiProblem ? error.retryAfterMs : null
  return requested ?? 1000 * 2 ** failures
}

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // The query client decides whether data is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: ProblemPage,
  defaultNotFoundComponent: NotFoundPage,
})

const { load } = router

// What was used is shown as pressed before the next page, or the same page with other parameters, is rendered.
router.load = async (options) => {
  if (options?.sync) return load(options)
  // The next navigation builds on this location, even if it starts before the paint.
  router.updateLatestLocation()
  const focused = document.activeElement
  // A field shows by itself what was typed or chosen.
  const used = focused?.matches('input, select, textarea') ? null : focused?.closest('a, button, tr, dialog')
  const leavesPage = router.latestLocation.pathname !== router.state.location.pathname
  // A key leaves nothing to show as pressed, so the page's title is.
  const shown = used ?? (leavesPage ? document.querySelector('main h1') : null)
  return afterPaint(shown, () => load(options))
}

/** Opens the sign-in page, which leads back to the current page, after the session has ended. */
async function leaveForLogin(error: ApiProblem): Promise<void> {
  const { pathname, href } = router.state.location
  if (pathname === '/login' || pathname === '/join') return
  // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
  await router.navigate({ to: '/login', search: { then: href, refused: isRefusal(error) }, replace: true })
  // The user may have stayed on a form to copy unsaved input.
  if (router.state.location.pathname !== '/login') return
  forgetUser(queryClient)
}

// Repeats requests that failed while the service was unreachable, in the page and its loader.
connection.state.subscribe((state) => {
  if (state !== 'up') return
  void queryClient.refetchQueries({ type: 'active', stale: true })
  void router.invalidate()
})

// After the paint, because the focus lays out the whole page.
router.subscribe('onRendered', ({ pathChanged }) => {
  if (pathChanged) void nextPaint().then(focusHeading)
})

/**
 * Focuses the heading of a new page, so that screen readers start there, unless something else than a link of the main navigation
 * has the focus.
 */
function focusHeading(): void {
  const focused = document.activeElement
  if (focused !== document.body && !focused?.closest('nav[aria-label=Main]')) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
