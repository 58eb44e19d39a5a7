import { useEffect, useState, type ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { exportFields, type ExportField } from '../values/export-fields.ts'
import type { ExportValues } from '../values/export-values.ts'

type FoldedProps = {
  title: string
  /** What the fields contain, shown beside the title. */
  says: string
  /** The fields inside. */
  fields: readonly ExportField[]
  /** Whether they are shown at first. */
  opened: boolean
  children: ReactNode
}

/** Fields that are folded away until they are needed, or one of them needs correction. */
export function Folded({ title, says, fields, opened, children }: FoldedProps) {
  const { formState, getFieldState, setFocus } = useFormContext<ExportValues>()
  const [isOpen, setOpen] = useState(opened)
  const isInvalid = (name: ExportField) => getFieldState(name, formState).invalid
  const first = exportFields.find(isInvalid)
  const unfolds = !isOpen && fields.some(isInvalid)
  useEffect(() => {
    // The form could not focus a field that was folded away.
    if (unfolds && first) setFocus(first)
  }, [unfolds, first, setFocus])
  return (
    <details
      open={isOpen || unfolds}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-md border border-line"
    >
      <summary className="rounded-md px-3 py-2 hover:bg-hover">
        <span className="font-medium">{title}</span> <span className="text-ink-2">{says}</span>
      </summary>
      <div className="flex flex-col gap-4 px-3 pt-1 pb-3">{children}</div>
    </details>
  )
}
