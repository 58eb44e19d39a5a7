import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import type { Session } from '../api/session.ts'
import { Toaster } from '../ui/feedback/toaster.tsx'
import { NotFoundAlone, ProblemAlone } from '../ui/feedback/whole-page.tsx'

export type RouterContext = { queryClient: QueryClient; session: Session }

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: ProblemAlone,
  notFoundComponent: NotFoundAlone,
})

function Root() {
  return (
    <>
      <Outlet />
      <Toaster />
    </>
  )
}
