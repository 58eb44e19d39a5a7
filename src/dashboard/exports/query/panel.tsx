import { useId, type ReactNode, type Ref } from 'react'

type PanelProps = {
  title: string
  /** A button beside the title. */
  action?: ReactNode
  children: ReactNode
  /** Uses the full width instead of a readable width. */
  wide?: boolean
  ref?: Ref<HTMLElement>
}

/** A titled panel beside a section's fields, with the service's feedback on them. */
export function Panel({ title, action, children, wide = false, ref }: PanelProps) {
  const id = useId()
  return (
    <section
      ref={ref}
      aria-labelledby={id}
      className={`flex min-w-0 scroll-my-4 flex-col gap-2 ${wide ? '' : 'max-w-160'}`}
    >
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
