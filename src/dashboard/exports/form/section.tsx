import type { ReactNode } from 'react'

type SectionProps = {
  step: number
  title: string
  children: ReactNode
  /** Feedback on the fields, beside them where there is room. */
  aside: ReactNode
  /** Below both, at full width. */
  below?: ReactNode
}

/** A titled group of fields. */
export function Section({ step, title, children, aside, below }: SectionProps) {
  return (
    // Isolated, so that a typed letter does not paint the other groups again.
    <fieldset id={title.toLowerCase()} className="isolate min-w-0">
      <legend className="mb-4 flex w-full items-center gap-2 border-b border-line pb-1.5 text-lg font-semibold">
        <span
          aria-hidden="true"
          className="grid size-6 place-items-center rounded-full border border-line-strong text-base font-medium text-ink-2"
        >
          {step}
        </span>
        {title}
      </legend>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
        <div className="isolate min-w-0">{aside}</div>
      </div>
      {below}
    </fieldset>
  )
}
