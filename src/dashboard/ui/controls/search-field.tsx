import { startTransition, useEffect, useRef, type RefObject } from 'react'
import { Icon } from '../icon.tsx'
import { KeyHint } from '../key-hint.tsx'
import { nextPaint } from './next-paint.ts'

export type SearchFieldProps = {
  label: string
  value: string
  onSearch: (text: string) => void
  /** Pause (ms) in typing after which `onSearch` is called; 0 calls it after the letter is painted. Leaving the field calls it at once. */
  waitMs?: number
  /** The key that focuses the field, shown while it is empty. */
  shortcut?: string
  ref?: RefObject<HTMLInputElement | null>
}

/** Shows a value in a field, unless the user is in it. */
export function showValue({ current: field }: RefObject<HTMLInputElement | null>, value: string): void {
  if (field && field !== document.activeElement) field.value = value
}

/** A text filter that is applied while the user types. Enter leaves the field, so that the keys of the list work. */
export function SearchField({ label, value, onSearch, waitMs = 0, shortcut, ref }: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null)
  const field = ref ?? own
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The search for the last typed text; null once it has run. */
  const pending = useRef<(() => void) | null>(null)
  // The value may also change by Back, or by a button that clears the filter.
  useEffect(() => showValue(field, value), [value, field])
  const search = () => {
    const run = pending.current
    pending.current = null
    // React empties the ref when the field is removed.
    if (run && field.current) startTransition(run)
  }
  const type = (text: string) => {
    clearTimeout(timer.current)
    pending.current = () => onSearch(text)
    if (waitMs === 0) void nextPaint().then(search)
    else timer.current = setTimeout(search, waitMs)
  }
  return (
    <div className="relative w-60 max-w-full max-sm:w-full">
      <span className="pointer-events-none absolute top-2 left-2 text-ink-3">
        <Icon name="search" />
      </span>
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        onChange={(event) => type(event.target.value)}
        // A click on "Clear" must come after this search, not before.
        onBlur={search}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur()
        }}
        className={`field pl-7.5 ${shortcut ? 'pr-8' : ''}`}
      />
      {shortcut && value === '' && (
        <span className="pointer-events-none absolute top-1.5 right-2 text-ink-3">
          <KeyHint of={shortcut} />
        </span>
      )}
    </div>
  )
}
