import type { ReactNode } from 'react'
import { isStatus } from '../../api/problem.ts'
import { ListProblem } from './list-notes.tsx'

type UnloadedPageProps = { title: string; error: Error | null; onRetry: () => void; missing: ReactNode }

/** The page of one object before it is loaded, or if it cannot be; `missing` is shown if it does not exist. */
export function UnloadedPage({ title, error, onRetry, missing }: UnloadedPageProps) {
  return (
    <>
      <title>{`${title} · Spool`}</title>
      <h1 className="sr-only">{title}</h1>
      {error && isStatus(error, 404) ? (
        missing
      ) : error ? (
        <ListProblem error={error} onRetry={onRetry} />
      ) : (
        <output className="appear-late text-ink-3">Loading…</output>
      )}
    </>
  )
}
