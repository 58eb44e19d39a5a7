import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'

type AlertNoteProps = { label: string; action?: ReactNode; children: ReactNode }

/** Shows what is wrong with an export at the top of its page, with the action that corrects it. */
export function AlertNote({ label, action, children }: AlertNoteProps) {
  return (
    <section
      aria-label={label}
      className="mt-3 flex flex-wrap items-center gap-3 rounded-md border border-fail px-3 py-2"
    >
      <span className="text-fail-ink">
        <Icon name="alert" />
      </span>
      <div className="min-w-64 flex-1">{children}</div>
      {action}
    </section>
  )
}
