import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { Suspense } from 'react'
import { signInQuestion } from '../api/session.ts'
import { lazyNamed } from '../ui/lazy-named.ts'
import { Toaster } from '../ui/feedback/toaster.tsx'
import { NotFoundAlone, ProblemAlone } from '../ui/feedback/whole-page.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  errorComponent: ProblemAlone,
  notFoundComponent: NotFoundAlone,
})

const SignInQuestion = lazyNamed(() => import('../shell/sign-in-question.tsx'), 'SignInQuestion')

/** Asks before a link replaces the session. */
function Question() {
  const isOpen = useSelector(signInQuestion, (question) => question !== null)
  return <Suspense>{isOpen && <SignInQuestion />}</Suspense>
}

function Root() {
  return (
    <>
      <Outlet />
      <Question />
      <Toaster />
    </>
  )
}
