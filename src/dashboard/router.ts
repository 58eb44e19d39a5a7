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
  // The query client knows what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: ProblemPage,
  defaultNotFoundComponent: NotFoundPage,
})

/** A refused key is forgotten; whoever signs in again comes back to where they were. */
async function leaveForLogin(): Promise<void> {
  const { pathname, href } = router.state.location
  if (pathname === '/login') return
  // oxlint-disable-next-line unicorn/no-thenable -- a text in the address, nobody awaits it
  await router.navigate({ to: '/login', search: { then: href, refused: true }, replace: true })
  // Whoever has typed something that is not saved may have stayed to copy it.
  if (router.state.location.pathname !== '/login') return
  session.signOut()
  queryClient.clear()
}

// What failed while the service was away is asked for again, on the page and in its loader.
connection.state.subscribe((state) => {
  if (state !== 'up') return
  void queryClient.refetchQueries({ type: 'active', stale: true })
  void router.invalidate()
})

// A page that is new is read from its heading on, unless the focus is still at something of the page.
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
