import { useId, useRef, type ComponentType } from 'react'
import { useOpening } from '../controls/use-opening.ts'
import type { Assignee } from '../../../contract/triage.ts'
import { Avatar } from '../avatar.tsx'
import { Button } from '../controls/button.tsx'
import { NoAvatar } from './no-avatar.tsx'

export type PickerProps = {
  /** Who is chosen now; null for nobody, undefined if that differs between rows. */
  assignee: Assignee | null | undefined
  onChoose: (assignee: Assignee | null) => void
}

type AssigneeMenuProps = {
  /** What is assigned. */
  of: string
  assignee: Assignee | null
  /** Why it cannot be assigned. */
  reason: string | null
  /** The content of the menu: an `AssigneePicker` that fetches those who can be chosen. */
  Picker: ComponentType<PickerProps>
  onChoose: PickerProps['onChoose']
}

/** Shows who works on something, in a button that opens a menu to assign it to someone else. */
export function AssigneeMenu({ of, assignee, reason, Picker, onChoose }: AssigneeMenuProps) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const { open, key, onToggle } = useOpening()
  const choose = (chosen: Assignee | null) => {
    ref.current?.hidePopover()
    if (chosen?.uuid !== assignee?.uuid) onChoose(chosen)
  }
  return (
    <span className="-ml-2.5 inline-flex max-w-full min-w-0" title={assignee?.name}>
      <Button
        look="quiet"
        reason={reason}
        popoverTarget={reason === null ? id : undefined}
        aria-haspopup="dialog"
        aria-label={`${assignee ? `Assigned to ${assignee.name}` : 'Unassigned'}: ${of}`}
      >
        {assignee ? <Avatar name={assignee.name} /> : <NoAvatar />}
        <span className={`max-w-32 truncate font-normal ${assignee ? '' : 'text-ink-3'}`}>
          {assignee ? assignee.name : 'Unassigned'}
        </span>
      </Button>
      <dialog
        ref={ref}
        id={id}
        popover="auto"
        tabIndex={-1}
        aria-label={`Assign ${of}`}
        className="anchored-start w-72 max-w-[calc(100vw-16px)] rounded-lg border border-line bg-raised p-0 text-left whitespace-normal shadow-overlay backdrop:bg-transparent"
        onToggle={onToggle}
      >
        {open && <Picker key={key} assignee={assignee} onChoose={choose} />}
      </dialog>
    </span>
  )
}
