import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../feedback/empty-state.tsx'
import { isStatus } from '../../api/problem.ts'
import { NoPermission } from '../feedback/no-permission.tsx'
import { ProblemNote } from '../feedback/problem-note.tsx'

export type ListNotesProps = {
  /** undefined until the first rows are fetched. */
  count: number | undefined
  error: Error | null
  onRetry: () => void
  /** Shown if there are no rows. */
  empty: ReactNode
  /** Shown instead if a filter hides all rows; null without a filter. */
  filteredEmpty?: ReactNode
  loading: ReactNode
  /** The rows. */
  children: ReactNode
}

/** Shows a list in each of its states: loading, rows, empty, filtered-empty, failed, not permitted. */
export function ListNotes(props: ListNotesProps) {
  const { count, error, onRetry, empty, filteredEmpty, loading, children } = props
  return (
    <>
      {error && <ListProblem error={error} onRetry={onRetry} />}
      {count === undefined && !error && loading}
      {count === 0 && (filteredEmpty ?? empty)}
      {count !== undefined && count > 0 && children}
    </>
  )
}

/** Says that the filters hide all rows, and offers to clear the filters. */
export function NoMatches({ title, clear, onClear }: { title: string; clear: string; onClear: () => void }) {
  return (
    <EmptyState title={title}>
      <Button onClick={onClear}>{clear}</Button>
    </EmptyState>
  )
}

/** Placeholder for the rows of a list with checkboxes and strips. */
export function ListSkeleton() {
  return (
    <output aria-label="Loading" className="appear-late flex flex-col pt-9">
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index} className="flex h-11 items-center gap-6 border-t border-line px-2">
          <span className="h-3.5 w-3.5 rounded-sm bg-hover" />
          <span className="h-3 rounded-sm bg-hover" style={{ width: `${12 + ((index * 7) % 10)}%` }} />
          <span className="h-3 w-20 rounded-sm bg-hover" />
          <span className="h-4 w-60 rounded-sm bg-hover max-md:hidden" />
          <span className="h-3 flex-1 rounded-sm bg-hover max-lg:hidden" />
        </span>
      ))}
    </output>
  )
}

/** Shows why a list could not be fetched: no permission, or a failure with Retry. */
export function ListProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (isStatus(error, 403)) return <NoPermission reason={error.message} />
  return <ProblemNote error={error} onRetry={onRetry} />
}

/** Placeholder for the rows of a table. */
export function TableSkeleton() {
  return (
    <output aria-label="Loading" className="appear-late flex flex-col">
      {Array.from({ length: 6 }, (_, index) => (
        <span key={index} className="flex h-10 items-center border-b border-line">
          <span className="h-3 rounded-sm bg-hover" style={{ width: `${35 + ((index * 17) % 40)}%` }} />
        </span>
      ))}
    </output>
  )
}

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** Shows what depends on a query, or why it cannot be shown. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  return (
    <>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && !error && <output className="appear-late text-ink-3">Loading…</output>}
    </>
  )
}

type LoadedPageProps<Data> = LoadedProps<Data> & {
  /** What the page shows: "Person". */
  title: string
  /** Why the object may not exist, and a link to the page above. */
  missing: string
  parent: ReactNode
}

/** The page of one object; says what is wrong until it is loaded. */
export function LoadedPage<Data>({ title, missing, parent, ...rest }: LoadedPageProps<Data>) {
  const { data, error } = rest.query
  if (data !== undefined) return rest.children(data)
  return (
    <>
      <title>{`${title} · Spool`}</title>
      <h1 className="sr-only">{title}</h1>
      {isStatus(error, 404) ? (
        <EmptyState title={`${title} not found`}>
          <p>{missing}</p>
          {parent}
        </EmptyState>
      ) : (
        <Loaded {...rest} />
      )}
    </>
  )
}
