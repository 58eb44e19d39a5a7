import { useId, type ReactNode } from 'react'

type SectionProps = {
  title: string
  /** Small text after the title. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A part of a page, named by its heading. */
export function Section({ title, aside, className, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className="mb-1.5">
        {title} <span className="text-xs font-normal text-ink-3">{aside}</span>
      </h2>
      {children}
    </section>
  )
}
