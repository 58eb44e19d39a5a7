import type { Visit } from '../../../contract/recordings/visit.ts'
import { outcomeInWords } from './visit-words.ts'

const looks = {
  completed: { mark: '✓', className: 'text-ok-ink' },
  left: { mark: '◌', className: 'text-ink-2' },
  error: { mark: '▲', className: 'text-fail-ink' },
} as const satisfies Record<Visit['outcome']['kind'], unknown>

/** How a visit ended: completed, left at a page, or stopped by an error. */
export function Outcome({ outcome }: { outcome: Visit['outcome'] }) {
  const { mark, className } = looks[outcome.kind]
  return (
    <span className={`font-medium ${className}`}>
      <span aria-hidden="true">{mark}</span> {outcomeInWords(outcome)}
    </span>
  )
}
