import type { ReactNode } from 'react'

type PageHeaderProps = {
  title: string
  /** A mark before the title. */
  mark?: ReactNode
  /** The page above this one, rendered before the title. */
  parent?: ReactNode
  /** A state or a number, rendered after the title. */
  aside?: ReactNode
  /** The page's actions. */
  children?: ReactNode
}

/** The page's heading and actions; also sets the document's title. */
export function PageHeader({ title, mark, parent, aside, children }: PageHeaderProps) {
  return (
    <header className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
      <title>{`${title} · Spool`}</title>
      {parent && <span className="text-ink-3">{parent}&ensp;/</span>}
      <h1 className="flex min-w-0 items-center gap-2 text-xl tracking-tight wrap-anywhere">
        {mark}
        {title}
      </h1>
      {aside}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2 print:hidden">{children}</div>
    </header>
  )
}
