import type { ReactNode } from 'react'
import type { Tone } from '../format/run-status.ts'

const inks: Record<Tone, string> = {
  ok: '',
  failed: 'text-fail-ink',
  running: 'text-run-ink',
  paused: 'text-ink-3',
  stopped: 'text-fail-ink',
  quiet: 'text-ink-3',
}

const shapes: Record<Tone, string> = {
  ok: 'size-2 rounded-full bg-ok',
  failed: 'size-2 rotate-45 rounded-[1px] bg-fail',
  running: 'size-2 rounded-full border-2 border-run bg-transparent',
  paused: 'h-2 w-[7px] border-x-2 border-current',
  stopped: 'h-2 w-[7px] border-x-2 border-fail',
  quiet: 'h-0.5 w-2 bg-current',
}

/** A state as shape, colour and text. */
export function Status({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span
      className={`inline-flex max-w-full items-center gap-x-1.5 whitespace-nowrap ${inks[tone]}`}
      title={title}
    >
      <i aria-hidden="true" className={`inline-block shrink-0 ${shapes[tone]}`} />
      {children}
    </span>
  )
}
