/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list that a text field controls */
import { useId, useState, type KeyboardEvent } from 'react'
import type { Assignee } from '../../../contract/triage.ts'
import { bestMatches } from '../../format/match.ts'
import { Avatar } from '../avatar.tsx'
import { ListProblem } from '../list/list-notes.tsx'
import { FindField } from '../controls/find-field.tsx'
import { movedTo } from '../list-steps.ts'
import type { PickerProps } from './assignee-menu.tsx'
import { NoAvatar } from './no-avatar.tsx'

type AssigneePickerProps = PickerProps & {
  /** Those who can be chosen; undefined until they are fetched. */
  people: readonly Assignee[] | undefined
  error: Error | null
  onRetry: () => void
  /** The uuid of the user. */
  me: string
}

type Option = { label: string; hint: string; person: Assignee | null }

/** Chooses a member or nobody, in a text field with those that match below. */
export function AssigneePicker({ people, error, onRetry, me, assignee, onChoose }: AssigneePickerProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const options = people ? optionsFor(people, me, assignee, typed) : []
  const current = options[Math.min(at, options.length - 1)]
  const moveTo = (next: number) => {
    setAt(next)
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = movedTo(event.key, Math.min(at, options.length - 1), options.length)
    if (next !== null) moveTo(next)
    else if (event.key === 'Enter' && current) onChoose(current.person)
    else return
    event.preventDefault()
  }
  if (error)
    return (
      <div className="p-3">
        <ListProblem error={error} onRetry={onRetry} />
      </div>
    )
  return (
    <>
      <FindField
        label="Assign to"
        placeholder="Assign to…"
        listId={listId}
        activeId={current && `${listId}-${options.indexOf(current)}`}
        typed={typed}
        onType={(text) => {
          setTyped(text)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        takesFocus
        className="h-10 w-full border-b border-line bg-transparent px-3 text-ink outline-none"
      />
      <div id={listId} role="listbox" aria-label="Members" className="max-h-72 overflow-y-auto p-1">
        {options.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field handles the keys
          <div
            key={option.person?.uuid ?? 'nobody'}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={option === current}
            onPointerMove={() => setAt(index)}
            onClick={() => onChoose(option.person)}
            className="flex min-h-9 items-center gap-2 rounded-md px-2 py-1 aria-selected:bg-selected"
          >
            {option.person ? <Avatar name={option.person.name} /> : <NoAvatar />}
            <span className="min-w-0 flex-1 wrap-anywhere">{option.label}</span>
            {option.hint && <span className="shrink-0 text-xs text-ink-3">{option.hint}</span>}
          </div>
        ))}
      </div>
      <output className={people && options.length > 0 ? 'sr-only' : 'block px-3 pb-3 text-ink-3'}>
        {!people
          ? 'Loading members…'
          : options.length === 0
            ? 'No member matches.'
            : `${options.length} offered`}
      </output>
    </>
  )
}

/** Returns the user first, then nobody, then the other members; those that match best first if something is typed. */
export function optionsFor(
  people: readonly Assignee[],
  me: string,
  assignee: Assignee | null | undefined,
  typed: string,
): readonly Option[] {
  const option = (person: Assignee): Option => ({ label: person.name, hint: '', person })
  const own = people.filter(({ uuid }) => uuid === me).map((person) => ({ ...option(person), hint: 'me' }))
  const others = people.filter(({ uuid }) => uuid !== me).map(option)
  const all = [...own, { label: 'Unassigned', hint: '', person: null }, ...others]
  const marked = all.map((one) => {
    const isNow = assignee !== undefined && one.person?.uuid === assignee?.uuid
    return isNow ? { ...one, hint: one.hint === '' ? 'now' : `${one.hint}, now` } : one
  })
  return bestMatches(marked, typed, ({ label, hint }) => `${label} ${hint}`)
}
