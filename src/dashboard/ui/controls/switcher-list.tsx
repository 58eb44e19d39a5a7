/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list that a text field controls */
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { bestMatches } from '../../format/match.ts'
import { Icon } from '../icon.tsx'
import { FindField } from './find-field.tsx'
import { movedTo } from '../list-steps.ts'

/** With an address, an option opens in a new tab as a link does. */
type Option = { id: string; name: string; href?: string }

export type SwitcherListProps = {
  /** What is chosen: "Project". */
  label: string
  currentId: string
  options: readonly Option[]
  /** Fewest options with a field to search in. */
  searchFrom: number
  onChoose: (id: string) => void
  onClose: () => void
}

/** The list of a switcher. Arrow keys move, typing searches, Enter chooses; with ⌘ or Ctrl, it opens a new tab. */
export function SwitcherList(props: SwitcherListProps) {
  const { label, currentId, options, searchFrom, onChoose, onClose } = props
  const id = useId()
  const ref = useRef<HTMLElement | null>(null)
  const [typed, setTyped] = useState('')
  const found = bestMatches(options, typed, ({ name }) => name)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.id === currentId),
    ),
  )
  const active = found[Math.min(at, found.length - 1)]
  const optionId = (option: Option | undefined) => option && `${id}-${option.id}`
  useLayoutEffect(() => ref.current?.focus(), [])
  useLayoutEffect(() => {
    if (active) document.getElementById(`${id}-${active.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, id])
  const choose = (option: Option) => {
    onClose()
    if (option.id !== currentId) onChoose(option.id)
  }
  const press = (event: KeyboardEvent) => {
    const next = movedTo(event.key, Math.min(at, found.length - 1), found.length)
    if (next !== null) setAt(next)
    else if (event.key !== 'Enter' || !active || event.nativeEvent.isComposing) return
    else if ((event.ctrlKey || event.metaKey) && active.href) window.open(active.href, '_blank', 'noopener')
    else choose(active)
    event.preventDefault()
  }
  const list = {
    id: `${id}-list`,
    label,
    found,
    active,
    currentId,
    optionId,
    onPoint: setAt,
    onChoose: choose,
  }
  if (options.length < searchFrom)
    return (
      <Listbox
        {...list}
        ref={(element) => {
          ref.current = element
        }}
        onKeyDown={press}
      />
    )
  return (
    <>
      <FindField
        ref={(element) => {
          ref.current = element
        }}
        label={`Find: ${label.toLowerCase()}`}
        placeholder="Find"
        listId={list.id}
        activeId={optionId(active)}
        typed={typed}
        onType={(text) => {
          setTyped(text)
          setAt(0)
        }}
        onKeyDown={press}
        className="field mb-1.5"
      />
      <Listbox {...list} />
      <output className={found.length === 0 ? 'block px-2 py-2 text-ink-3' : 'sr-only'}>
        {found.length === 0 ? 'No matches.' : `${found.length} found`}
      </output>
    </>
  )
}

type ListboxProps = {
  id: string
  label: string
  found: readonly Option[]
  active: Option | undefined
  currentId: string
  optionId: (option: Option | undefined) => string | undefined
  onPoint: (index: number) => void
  onChoose: (option: Option) => void
  /** Given to a list without a field, which has the focus itself. */
  ref?: (element: HTMLElement | null) => void
  onKeyDown?: (event: KeyboardEvent) => void
}

function Listbox({ id, label, found, active, currentId, optionId, onPoint, onChoose, ...own }: ListboxProps) {
  const click = (event: MouseEvent, option: Option) => {
    // The browser opens the link elsewhere.
    if (option.href && (event.ctrlKey || event.metaKey || event.shiftKey)) return
    event.preventDefault()
    onChoose(option)
  }
  return (
    <div
      {...own}
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={own.onKeyDown ? 0 : -1}
      aria-activedescendant={own.onKeyDown && optionId(active)}
      className="max-h-[min(50dvh,360px)] overflow-y-auto outline-none"
    >
      {found.map((option, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field or the list handles the keys
        <a
          key={option.id}
          id={optionId(option)}
          role="option"
          tabIndex={-1}
          href={option.href}
          aria-selected={option === active}
          aria-current={option.id === currentId ? 'true' : undefined}
          onPointerMove={() => onPoint(index)}
          onClick={(event) => click(event, option)}
          className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-ink aria-selected:bg-selected"
        >
          <span className="min-w-0 flex-1 wrap-anywhere">{option.name}</span>
          {option.id === currentId && <Icon name="check" />}
        </a>
      ))}
    </div>
  )
}
