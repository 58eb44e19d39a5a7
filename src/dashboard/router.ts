import { createRouter } from '@tanstack/react-router'
import { connection } from './api/connection.ts'
import { session } from './api/session.ts'
import { createQueryClient } from './queries/query-client.ts'
import { routeTree } from './route-tree.gen.ts'
import { LoadingPage, NotFoundPage, ProblemPage } from './ui/feedback/whole-page.tsx'

export const queryClient = createQueryClient(() => void leaveForLogin())

export const router = createRouter({
  routeTree,
  context: { queryClient, session },
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

/** Removes a refused key and opens the sign-in page, which leads back to the current page. */
async function leaveForLogin(): Promise<void> {
  const { pathname, href } = router.state.location
  if (pathname === '/login') return
  // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
  await router.navigate({ to: '/login', search: { then: href, refused: true }, replace: true })
  // The user may have stayed on a form to copy unsaved input.
  if (router.state.location.pathname !== '/login') return
  session.signOut()
  queryClient.clear()
}

// Repeats requests that failed while the service was unreachable, in the page and its loader.
connection.state.subscribe((state) => {
  if (state !== 'up') return
  void queryClient.refetchQueries({ type: 'active', stale: true })
  void router.invalidate()
})

// Focuses the heading of a new page, so that screen readers start there, unless the page already has the focus.
router.subscribe('onRendered', ({ pathChanged }) => {
  const focused = document.activeElement
  if (!pathChanged || (focused !== document.body && !focused?.closest('nav[aria-label=Main]'))) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
