import { use, useEffect, useLayoutEffect, useRef } from 'react'
import { preferences } from '../format/preferences.ts'
import { EnclosingDialog, topModal } from './modals.ts'
import { toast } from './feedback/toasts.ts'

export type KeyBinding = {
  /** Description in the help and the palette: "Pause or unpause". */
  does: string
  run: () => void
  /** Why the action is disabled; pressing the key shows the reason instead. */
  reason?: string | null
  /** Moves the focus: repeats while the key is held down, and is not listed in the palette. */
  moves?: boolean
  /** Also works in text fields, if the key has `mod+`. */
  whileTyping?: boolean
}

/**
 * Bindings by `KeyboardEvent.key` (`j`, `?`, `Enter`, `Escape`), prefixed with `mod+` for ⌘ or Ctrl, and with `shift+` if the
 * key value does not imply Shift (`shift+ArrowDown`). Undefined and null bindings are inactive.
 */
export type KeyMap = Readonly<Record<string, KeyBinding | undefined | null>>

/** A function is called when a key is pressed or the keys are listed, instead of at each render. */
type KeySource = KeyMap | (() => KeyMap)

type Place = 'page' | 'app' | 'everywhere'
type Registered = {
  keys: () => KeyMap
  place: Place
  dialog: { readonly current: HTMLElement | null } | null
}

let registered: readonly Registered[] = []

/**
 * Binds keys while the component is rendered: not while the user types, and below an open dialog only if they are bound inside it.
 * The last binding of a key wins. `app` bindings yield to those of the page; `everywhere` bindings also work with open dialogs.
 */
export function useKeys(keys: KeySource, place: Place = 'page'): void {
  const dialog = use(EnclosingDialog)
  const latest = useRef(keys)
  // Not after the paint: a key acts on what is shown.
  useLayoutEffect(() => {
    latest.current = keys
  })
  useEffect(() => register({ keys: () => keysIn(latest.current), place, dialog }), [place, dialog])
}

function keysIn(source: KeySource): KeyMap {
  return typeof source === 'function' ? source() : source
}

export type KeyNow = KeyBinding & { key: string; place: Place }

/** Returns all active bindings, those of the page first. */
export function keysNow(): KeyNow[] {
  const found = new Map<string, KeyNow>()
  for (const { keys, place } of activeEntries(topModal()))
    for (const [key, binding] of Object.entries(keys()))
      if (binding && !found.has(key)) found.set(key, { ...binding, key, place })
  return [...found.values()]
}

/** Returns the binding that a key has now, or null; the page's bindings come first. */
function activeBinding(key: string): KeyNow | null {
  for (const { keys, place } of activeEntries(topModal())) {
    const binding = keys()[key]
    if (binding) return { ...binding, key, place }
  }
  return null
}

/** Returns the name of the pressed key, as used in a `KeyMap`. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey'>) {
  const { key, code, ctrlKey, metaKey, shiftKey } = event
  // If the layout has no Latin letters, the letter at that position of a Latin keyboard counts.
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const character = key.length === 1 && key > '~' && letter ? letter.toLowerCase() : key
  const plain = character.length === 1 && !shiftKey ? character.toLowerCase() : character
  const shift = shiftKey && character.length > 1 ? 'shift+' : ''
  return `${ctrlKey || metaKey ? 'mod+' : ''}${shift}${plain}`
}

function register(entry: Registered): () => void {
  if (registered.length === 0) {
    addEventListener('keydown', onKeyDown)
    addEventListener('beforetoggle', noteMenu, { capture: true })
  }
  registered = [...registered, entry]
  return () => {
    registered = registered.filter((other) => other !== entry)
    if (registered.length > 0) return
    removeEventListener('keydown', onKeyDown)
    removeEventListener('beforetoggle', noteMenu, { capture: true })
  }
}

function activeEntries(top: HTMLElement | null): Registered[] {
  const here = ({ dialog }: Registered) => (dialog?.current ?? null) === top
  return [
    ...registered.filter((entry) => entry.place === 'page' && here(entry)).toReversed(),
    ...registered.filter((entry) => entry.place === 'app' && here(entry)),
    ...registered.filter((entry) => entry.place === 'everywhere'),
  ]
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return
  const name = keyName(event)
  // Computing all bindings would delay every typed letter.
  if (!name.startsWith('mod+') && event.target instanceof Element && acceptsText(event.target)) return
  const binding = activeBinding(name)
  if (!binding || isTaken(event, name, binding)) return
  event.preventDefault()
  if (event.repeat && !binding.moves) return
  // The focus returns to the menu's button, and to that after a dialog which the key opens.
  openMenu()?.hidePopover()
  if (binding.reason) toast(binding.reason)
  else binding.run()
}

/** The popover that opened last; popovers are not nested. Searching the page for an open one would delay every key. */
let lastMenu: HTMLElement | null = null

function noteMenu({ target, newState }: ToggleEvent): void {
  if (newState === 'open' && target instanceof HTMLElement && target.popover === 'auto') lastMenu = target
}

function openMenu(): HTMLElement | null {
  return lastMenu?.matches(':popover-open') ? lastMenu : null
}

/** Whether the focused element or an open menu handles this key itself. */
function isTaken(event: KeyboardEvent, name: string, binding: KeyNow): boolean {
  if (binding.place === 'everywhere' && binding.whileTyping) return false
  if (name.length === 1 && preferences().singleKeys === 'off') return true
  // Escape closes it, whatever is focused.
  if (openMenu()) return true
  const target = event.target instanceof Element ? event.target : null
  if (!target) return false
  // While the list of a select is open, Chrome focuses one of its options.
  if (target.closest('option, [role=listbox]')) return true
  if (acceptsText(target)) return binding.whileTyping !== true
  return (name === 'Enter' || name === ' ') && target.closest('a[href], button, summary, input') !== null
}

function acceptsText(target: Element): boolean {
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit', 'reset', 'range'].includes(target.type)
  if (target instanceof HTMLElement && target.isContentEditable) return true
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
