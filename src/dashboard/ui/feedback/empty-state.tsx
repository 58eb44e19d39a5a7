import type { ReactNode } from 'react'

/** Explains why a list is empty, and what to do. A text alone is a paragraph. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-lg font-medium">{title}</p>
      {children && (
        <div className="flex max-w-100 flex-col items-center gap-3 text-ink-2">
          {typeof children === 'string' ? <p>{children}</p> : children}
        </div>
      )}
    </div>
  )
}
