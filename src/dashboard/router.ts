import { createRouter } from '@tanstack/react-router'
import { session } from './api/session.ts'
import { createQueryClient } from './queries/query-client.ts'
import { routeTree } from './route-tree.gen.ts'
import { LoadingPage, NotFoundPage, ProblemPage } from './ui/whole-page.tsx'

export const queryClient = createQueryClient(leaveForLogin)

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
function leaveForLogin(): void {
  const { pathname, href } = router.state.location
  if (pathname === '/login') return
  session.signOut()
  queryClient.clear()
  // oxlint-disable-next-line unicorn/no-thenable -- a text in the address, nobody awaits it
  void router.navigate({ to: '/login', search: { then: href, refused: true }, replace: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
