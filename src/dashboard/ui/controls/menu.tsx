import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { buttonClass, type ButtonLook } from './button.tsx'
import { Icon } from '../icon.tsx'
import { KeyHint } from '../key-hint.tsx'

export type MenuItem = {
  label: string
  onSelect: () => void
  /** A letter that selects the item while the menu is open. */
  letter?: string
  /** Why the action is disabled. */
  reason?: string | null
  danger?: boolean
}

type MenuProps = {
  label: string
  /** A function is called when the menu opens, instead of at each render. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
  /** The button's content; three dots if omitted. */
  children?: ReactNode
  look?: ButtonLook
  /** Called with true when the menu opens, with false when it closes. */
  onToggle?: (isOpen: boolean) => void
}

/** A button that opens a menu of actions; arrow keys, Home and End move the focus, letters select, Escape closes it. */
export function Menu(props: MenuProps) {
  const { label, children, look = children ? 'plain' : 'quiet', onToggle } = props
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  // Items are rendered only while the menu is open: a list may have a hundred menus.
  const [open, setOpen] = useState(false)
  // The popover is rendered at the first click, before the browser looks for it.
  const [isUsed, setUsed] = useState(false)
  const items = open ? (typeof props.items === 'function' ? props.items() : props.items) : []
  const shared = sharedReason(items)
  const select = (item: MenuItem) => {
    if (item.reason) return
    ref.current?.hidePopover()
    item.onSelect()
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const item = isPlain && items.find(({ letter }) => letter === event.key.toLowerCase())
    if (!item) return moveFocus(event)
    event.preventDefault()
    return select(item)
  }
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={children ? undefined : label}
        aria-haspopup="menu"
        popoverTarget={id}
        onClick={() => flushSync(() => setUsed(true))}
        className={buttonClass(look, look === 'quiet' ? 'icon' : 'normal')}
      >
        {children ?? <Icon name="more" />}
      </button>
      {isUsed && (
        <div
          ref={ref}
          id={id}
          popover="auto"
          className="anchored max-w-74 min-w-44 rounded-lg border border-line bg-raised p-1 whitespace-normal shadow-overlay"
          onBeforeToggle={(event) => {
            if (event.newState === 'open') setOpen(true)
            onToggle?.(event.newState === 'open')
          }}
          onToggle={(event) => {
            if (event.newState === 'open') itemsIn(event.currentTarget)[0]?.focus()
            else setOpen(false)
          }}
        >
          <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={press}>
            {items.map((item) => (
              // A label may name the current moment of a playback: the item must keep its focus.
              <ItemButton
                key={item.letter ?? item.label}
                item={item}
                reasonBelow={item.reason && item.reason === shared ? `${id}-reason` : undefined}
                onSelect={() => select(item)}
              />
            ))}
          </div>
          {shared && (
            <p
              id={`${id}-reason`}
              className="mt-1 border-t border-line px-2 pt-1.5 pb-1 text-left text-xs text-ink-3"
            >
              Unavailable: {shared}
            </p>
          )}
        </div>
      )}
    </>
  )
}

type ItemButtonProps = {
  item: MenuItem
  /** Id of the text below the items that says why this one is unavailable. */
  reasonBelow: string | undefined
  onSelect: () => void
}

function ItemButton({ item, reasonBelow, onSelect }: ItemButtonProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={item.reason ? true : undefined}
      aria-keyshortcuts={item.letter}
      aria-describedby={reasonBelow}
      onClick={onSelect}
      className={`block w-full rounded-sm px-2 py-1.5 text-left hover:bg-hover focus:bg-hover ${item.danger ? 'text-fail-ink' : ''}`}
    >
      <span className={`flex items-baseline justify-between gap-4 ${item.reason ? 'text-ink-3' : ''}`}>
        {item.label}
        {item.letter && <KeyHint of={item.letter} />}
      </span>
      {item.reason && reasonBelow === undefined && (
        <span className="block text-xs text-ink-3">{item.reason}</span>
      )}
    </button>
  )
}

/** Returns the reason that several items have in common; the menu shows it once. */
function sharedReason(items: readonly MenuItem[]): string | null {
  const reasons = items.flatMap(({ reason }) => reason ?? [])
  return reasons.find((reason, index) => reasons.indexOf(reason) < index) ?? null
}

/** Returns the items of a menu. */
export function itemsIn(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

/** Moves the focus between the items of a menu with the arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsIn(event.currentTarget)
  const at = items.findIndex((item) => item === document.activeElement)
  const targets: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  items[target]?.focus()
}
