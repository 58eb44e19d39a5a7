import { use, useEffect, useRef } from 'react'
import { preferences } from '../words/preferences.ts'
import { DialogAround, topModal } from './modals.ts'
import { toast } from './feedback/toasts.ts'

export type KeyBinding = {
  /** What it does, as `?` and the palette say it: "Pause or unpause". */
  does: string
  run: () => void
  /** Why it is not possible now: said instead of doing it. */
  reason?: string | null
  /** Moves about rather than acts: goes on while the key is held down, and is no entry of the palette. */
  moves?: boolean
  /** Works in a text field too. */
  whileTyping?: boolean
}

/**
 * By `KeyboardEvent.key`: `j`, `?`, `Enter`, `Escape`; before it `mod+` for ⌘ or Ctrl, and `shift+` where the key itself does
 * not tell (`shift+ArrowDown`). What is undefined or null does not listen now.
 */
export type KeyMap = Readonly<Record<string, KeyBinding | undefined | null>>

type Place = 'page' | 'app' | 'everywhere'
type Registered = {
  keys: () => KeyMap
  place: Place
  dialog: { readonly current: HTMLElement | null } | null
}

let registered: readonly Registered[] = []

/**
 * Keys that work while the component is on the page: never while typing, and under an open dialog only those from inside of it.
 * Of two for the same key the one that came last wins. `app`: of the whole dashboard, behind those of the page. `everywhere`: the same, dialogs or not.
 */
export function useKeys(keys: KeyMap, place: Place = 'page'): void {
  const dialog = use(DialogAround)
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => register({ keys: () => latest.current, place, dialog }), [place, dialog])
}

export type KeyNow = KeyBinding & { key: string; place: Place }

/** Every key that works now, those of the page first. */
export function keysNow(): KeyNow[] {
  const found = new Map<string, KeyNow>()
  for (const { keys, place } of working(topModal()))
    for (const [key, binding] of Object.entries(keys()))
      if (binding && !found.has(key)) found.set(key, { ...binding, key, place })
  return [...found.values()]
}

/** The name of the key that was pressed, as a `KeyMap` spells it. */
export function keyName(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): string {
  const { key, code, ctrlKey, metaKey, shiftKey } = event
  // Where the layout has no Latin letters, the letter printed at that place counts.
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const character = key.length === 1 && key > '~' && letter ? letter.toLowerCase() : key
  const plain = character.length === 1 && !shiftKey ? character.toLowerCase() : character
  const shift = shiftKey && character.length > 1 ? 'shift+' : ''
  return `${ctrlKey || metaKey ? 'mod+' : ''}${shift}${plain}`
}

function register(entry: Registered): () => void {
  if (registered.length === 0) addEventListener('keydown', onKeyDown)
  registered = [...registered, entry]
  return () => {
    registered = registered.filter((other) => other !== entry)
    if (registered.length === 0) removeEventListener('keydown', onKeyDown)
  }
}

function working(top: HTMLElement | null): Registered[] {
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
  const binding = keysNow().find(({ key }) => key === name)
  if (!binding || isTaken(event, name, binding)) return
  event.preventDefault()
  if (event.repeat && !binding.moves) return
  if (binding.reason) toast(binding.reason)
  else binding.run()
}

/** Whether what has the focus wants this key for itself. */
function isTaken(event: KeyboardEvent, name: string, binding: KeyBinding): boolean {
  if (name.length === 1 && preferences().singleKeys === 'off') return true
  const target = event.target instanceof Element ? event.target : null
  if (!target) return false
  if (target.closest('[role=menu], [role=listbox]')) return true
  if (isTypedInto(target)) return binding.whileTyping !== true
  return (name === 'Enter' || name === ' ') && target.closest('a[href], button, summary, input') !== null
}

function isTypedInto(target: Element): boolean {
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit', 'reset', 'range'].includes(target.type)
  if (target instanceof HTMLElement && target.isContentEditable) return true
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
