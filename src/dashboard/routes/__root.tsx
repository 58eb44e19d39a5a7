import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { Toaster } from '../ui/feedback/toaster.tsx'
import { NotFoundAlone, ProblemAlone } from '../ui/feedback/whole-page.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
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
