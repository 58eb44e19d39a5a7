/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list that a text field controls */
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { readStored } from '../format/stored.ts'
import { FindField } from '../ui/controls/find-field.tsx'
import { Icon } from '../ui/icon.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import type { KeyNow } from '../ui/use-keys.ts'
import { movedTo } from '../ui/list-steps.ts'
import { afterPaint } from '../ui/controls/next-paint.ts'
import { useModal } from '../ui/modals.ts'
import { entriesFor, type Entry } from './entries.ts'
import type { PaletteAction } from '../ui/list/palette-actions.ts'
import { useEntries } from './use-entries.ts'

const storageKey = 'spool.palette'
const storedMax = 20

type PaletteProps = {
  /** Keys and actions of the page when the palette was opened. */
  keys: readonly KeyNow[]
  actions: readonly PaletteAction[]
  /** What was typed before the palette appeared. */
  typedAhead: { readonly current: string }
  onClose: () => void
}

/** The command palette: a text field above the list of matching exports, pages and actions. */
export function Palette({ keys, actions, typedAhead, onClose }: PaletteProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useModal(ref)
  const listId = useId()
  const [typed, setTyped] = useState('')
  useLayoutEffect(() => {
    // Keys are held until the palette appears, which may be long after its first render.
    // oxlint-disable-next-line react/set-state-in-effect -- what was typed since is known only now
    setTyped(typedAhead.current)
  }, [typedAhead])
  const [at, setAt] = useState(0)
  const [recent] = useState(recentEntries)
  const entries = entriesFor(typed, useEntries(keys, actions, typed), recent)
  const current = entries[Math.min(at, entries.length - 1)]
  const choose = (entry: Entry) => {
    if (entry.reason) return
    rememberEntry(entry.id)
    // Close first, because the action may open a dialog or move the focus.
    flushSync(onClose)
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedTo(event.key, Math.min(at, entries.length - 1), entries.length)
    if (next === null && event.key !== 'Enter') return
    event.preventDefault()
    if (next !== null) {
      setAt(next)
      document.getElementById(optionId(listId, next))?.scrollIntoView({ block: 'nearest' })
    } else if (current && !event.nativeEvent.isComposing) choose(current)
  }
  return (
    <dialog
      ref={ref}
      aria-label="Command palette"
      closedby="any"
      onCancel={(event) => {
        event.preventDefault()
        // Closing lays out the whole page again: the palette is dimmed first.
        void afterPaint(ref.current, onClose)
      }}
      onClose={() => {
        if (ref.current?.open === false) onClose()
      }}
      className="mx-auto mt-[min(14vh,120px)] mb-4 w-[calc(100vw-32px)] max-w-xl overflow-hidden rounded-lg border border-line bg-raised p-0 shadow-overlay"
    >
      <div className="flex items-center gap-2 border-b border-line px-3.5 text-ink-3 focus-within:border-accent">
        <Icon name="search" />
        <FindField
          label="Find an export, a recording, a page or an action"
          listId={listId}
          activeId={current && optionId(listId, entries.indexOf(current))}
          typed={typed}
          onType={(text) => {
            setTyped(text)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          takesFocus
          className="h-11 min-w-0 flex-1 bg-transparent text-[14px] text-ink outline-none"
        />
      </div>
      <Options id={listId} entries={entries} current={current} onPoint={setAt} onChoose={choose} />
      <output className={entries.length === 0 ? 'block px-4 pb-6 text-center text-ink-3' : 'sr-only'}>
        {entries.length === 0 ? 'No matches.' : `${entries.length} found`}
      </output>
    </dialog>
  )
}

type OptionsProps = {
  id: string
  entries: readonly Entry[]
  current: Entry | undefined
  onPoint: (index: number) => void
  onChoose: (entry: Entry) => void
}

function Options({ id, entries, current, onPoint, onChoose }: OptionsProps) {
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      className="max-h-[min(60vh,420px)] overflow-y-auto p-1.5"
    >
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <div aria-hidden="true" className="px-2 pt-2 pb-1 text-xs text-ink-3">
            {group}
          </div>
          {entries.map((entry, index) =>
            entry.group === group ? (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field handles the keys
              <div
                key={entry.id}
                id={optionId(id, index)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === current}
                aria-disabled={entry.reason ? true : undefined}
                onPointerMove={() => onPoint(index)}
                onClick={() => onChoose(entry)}
                className="flex min-h-8 items-center gap-3 rounded-md px-2 py-1 aria-selected:bg-selected"
              >
                <span className={`min-w-0 flex-1 ${entry.reason ? 'text-ink-3' : ''}`}>
                  <span className="block truncate">{entry.label}</span>
                  {entry.reason && <span className="block text-xs">{entry.reason}</span>}
                </span>
                {entry.hint && <span className="shrink-0 text-xs text-ink-2">{entry.hint}</span>}
                {entry.key && <KeyHint of={entry.key} />}
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  )
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

/** Returns the ids of the most recently chosen entries, newest first. */
function recentEntries(): string[] {
  return Object.values(readStored(storageKey)).filter((id) => typeof id === 'string')
}

function rememberEntry(id: string): void {
  const ids = [id, ...recentEntries().filter((other) => other !== id)].slice(0, storedMax)
  localStorage.setItem(storageKey, JSON.stringify(ids))
}
