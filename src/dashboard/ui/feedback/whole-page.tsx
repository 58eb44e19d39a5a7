import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { isPageFileMissing, reloadWhenReachable } from '../../api/page-files.ts'
import { isStatus } from '../../api/problem.ts'
import { Button } from '../controls/button.tsx'
import { ButtonLink } from '../controls/button-link.tsx'
import { NoPermission } from './no-permission.tsx'
import { ProblemNote } from './problem-note.tsx'

export function NotFoundPage() {
  return (
    <Centred title="Page not found">
      <p className="text-ink-2">It was deleted, belongs to another project, or never existed.</p>
      <ButtonLink to="/">Home</ButtonLink>
    </Centred>
  )
}

export function ProblemPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (isStatus(error, 404)) return <NotFoundPage />
  if (isStatus(error, 403))
    return (
      <>
        <title>Not permitted · Spool</title>
        <h1 className="sr-only">Not permitted</h1>
        <NoPermission reason={error.message} />
      </>
    )
  const retry = () => {
    // A failed import stays failed until the page is loaded again.
    if (isPageFileMissing(error)) return void reloadWhenReachable()
    reset()
    void router.invalidate()
  }
  return (
    <Centred title="This page could not be loaded">
      <ProblemNote error={error instanceof Error ? error : new Error(String(error))} />
      <Button look="primary" onClick={retry}>
        Retry
      </Button>
    </Centred>
  )
}

export function LoadingPage() {
  return (
    <output aria-label="Loading" className="flex flex-col gap-3 p-6">
      <title>Spool</title>
      <h1 className="sr-only">Loading</h1>
      <span className="h-6 w-56 rounded-sm bg-hover" />
      <span className="h-4 w-full max-w-120 rounded-sm bg-hover" />
      <span className="h-4 w-full max-w-96 rounded-sm bg-hover" />
    </output>
  )
}

/** The pages for use outside the app's layout. */
export const NotFoundAlone = alone(NotFoundPage)
export const ProblemAlone = alone(ProblemPage)
export const LoadingAlone = alone(LoadingPage)

function alone<Props extends object>(Page: ComponentType<Props>) {
  return function Alone(props: Props) {
    return (
      <main>
        <Page {...props} />
      </main>
    )
  }
}

function Centred({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-120 flex-col items-start gap-3 px-4 py-16">
      <title>{`${title} · Spool`}</title>
      <h1 className="text-xl">{title}</h1>
      {children}
    </div>
  )
}
