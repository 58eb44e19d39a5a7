import type { ReactNode } from 'react'
import { LineDrawing } from '../../ui/icon.tsx'

/** A line drawing in a box of 16 × 16, with its name on hover and for screen readers. */
export function NamedIcon({ shape, name, children }: { shape: string; name: string; children?: ReactNode }) {
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image that is drawn here has no file
      role="img"
      aria-label={name}
      title={name}
      className="inline-flex shrink-0 items-center gap-0.5 text-ink-3"
    >
      <LineDrawing path={shape} size={15} strokeWidth={1.2} />
      {children}
    </span>
  )
}
