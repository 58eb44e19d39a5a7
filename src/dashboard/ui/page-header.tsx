import type { ReactNode } from 'react'

type PageHeaderProps = {
  title: string
  /** The page above this one, rendered before the title. */
  parent?: ReactNode
  /** A state or a number, rendered after the title. */
  aside?: ReactNode
  /** The page's actions. */
  children?: ReactNode
}

/** The page's heading and actions; also sets the document's title. */
export function PageHeader({ title, parent, aside, children }: PageHeaderProps) {
  return (
    <header className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
      <title>{`${title} · Spool`}</title>
      {parent && <span className="text-ink-3">{parent}&ensp;/</span>}
      <h1 className="min-w-0 text-xl tracking-tight wrap-anywhere">{title}</h1>
      {aside}
      <div className="ml-auto flex flex-wrap items-center gap-2 print:hidden">{children}</div>
    </header>
  )
}
