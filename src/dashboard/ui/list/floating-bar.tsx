import type { ReactNode } from 'react'
import { count } from '../../words/amount.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'

/** What is being done to many right now. */
export type BatchProgress = { doing: string; ended: number; of: number }

type FloatingBarProps = {
  label: string
  /** How many are chosen. */
  status: string
  progress: BatchProgress | null
  onClear: () => void
  /** What can be done with them. */
  children: ReactNode
}

/** What can be done with the chosen rows; it floats over the list's end. */
export function FloatingBar({ label, status, progress, onClear, children }: FloatingBarProps) {
  return (
    <section
      aria-label={label}
      data-floating-bar
      className="fixed bottom-4 left-4 z-10 flex max-w-[calc(100vw-32px)] flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised py-1.5 pr-1.5 pl-3.5 shadow-overlay md:left-[232px] md:max-w-[calc(100vw-256px)]"
    >
      <output className="mr-1.5 font-semibold whitespace-nowrap">
        {progress ? `${progress.doing}, ${count(progress.ended)} of ${count(progress.of)}` : status}
      </output>
      {children}
      <Button look="quiet" size="icon" aria-label="Select nothing" onClick={onClear}>
        <Icon name="close" />
      </Button>
    </section>
  )
}
