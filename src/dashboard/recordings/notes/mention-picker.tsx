/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list that a text field controls */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState, type RefObject } from 'react'
import { useAccount } from '../../account.ts'
import { counted } from '../../format/amount.ts'
import { mentionableMembersQuery } from '../../queries/recordings/note-mentions.ts'
import { membersMatching, type MentionQuery } from './mention-query.ts'

/** Members that are offered at once. */
const offeredMax = 6

type MentionPickerProps = {
  /** The text field, which keeps the focus; keys choose from the list. */
  field: RefObject<HTMLTextAreaElement | null>
  query: MentionQuery
  onPick: (name: string) => void
  onClose: () => void
}

/** Offers members whom a note can mention: arrow keys move, Enter or Tab chooses, Escape closes. */
export function MentionPicker({ field, query, onPick, onClose }: MentionPickerProps) {
  const { projectId } = useAccount()
  const id = useId()
  const { data: members, error } = useQuery(mentionableMembersQuery(projectId))
  const [chosen, setChosen] = useState({ query: query.text, index: 0 })
  const offered = membersMatching(members ?? [], query).slice(0, offeredMax)
  const index = chosen.query === query.text ? chosen.index : 0
  const isOpen = offered.length > 0
  const move = (by: number) =>
    setChosen({ query: query.text, index: (index + by + offered.length) % offered.length })
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (!isOpen || event.metaKey || event.ctrlKey || event.altKey) return
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' || event.key === 'Tab') onPick(offered[index]?.name ?? '')
    else return
    event.preventDefault()
    // The form would save or close.
    event.stopPropagation()
  })
  useEffect(() => {
    const { current } = field
    const listener = (event: KeyboardEvent) => press(event)
    current?.addEventListener('keydown', listener)
    return () => current?.removeEventListener('keydown', listener)
  }, [field])
  useEffect(() => {
    const { current } = field
    if (!isOpen || !current) return undefined
    current.setAttribute('aria-controls', id)
    current.setAttribute('aria-activedescendant', `${id}-${index}`)
    return () => {
      current.removeAttribute('aria-controls')
      current.removeAttribute('aria-activedescendant')
    }
  }, [field, id, index, isOpen])
  if (error) return <p className="text-xs text-fail-ink">Members could not be listed: {error.message}</p>
  return (
    <>
      <output className="sr-only">
        {isOpen ? `${counted(offered.length, 'member')} to mention` : members && 'No member to mention'}
      </output>
      {isOpen && (
        <div
          role="listbox"
          id={id}
          aria-label="Members to mention"
          className="max-h-44 overflow-y-auto rounded-md border border-line-strong bg-bg py-1"
        >
          {offered.map(({ id: userId, name, email }, place) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the text field has focus and keys
            <div
              key={userId}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === index}
              className="flex cursor-default gap-2 px-2.5 py-1 hover:bg-hover aria-selected:bg-selected"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(name)}
            >
              <span className="min-w-0 truncate font-medium">{name}</span>
              {!name.includes(email) && <span className="min-w-0 truncate text-ink-3">{email}</span>}
            </div>
          ))}
        </div>
      )}
    </>
  )
}
