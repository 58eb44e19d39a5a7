import type { ReactNode } from 'react'
import { count } from '../../format/amount.ts'

type FilterChipProps = {
  pressed: boolean
  onClick: () => void
  amount?: number | undefined
  children: ReactNode
}

/** A filter that a click turns on, or off, with the number of matches. */
export function FilterChip({ pressed, onClick, amount, children }: FilterChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className="h-8 rounded-md border border-line px-2.5 text-ink-2 hover:bg-hover aria-pressed:border-accent aria-pressed:text-ink"
    >
      {children} <span className="text-ink-3">{amount !== undefined && count(amount)}</span>
    </button>
  )
}
