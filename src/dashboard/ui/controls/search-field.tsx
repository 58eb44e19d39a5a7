import { startTransition, useEffect, useRef, type RefObject } from 'react'
import { Icon } from '../icon.tsx'
import { KeyHint } from '../key-hint.tsx'
import { nextPaint } from './next-paint.ts'

type SearchFieldProps = {
  label: string
  value: string
  onSearch: (text: string) => void
  /** Pause (ms) in typing before `onSearch` is called; without a pause, the letter is painted first. */
  waitMs?: number
  /** The key that focuses the field, shown while it is empty. */
  shortcut?: string
  ref?: RefObject<HTMLInputElement | null>
}

/** A text filter that is applied while the user types. Enter leaves the field, so that the keys of the list work. */
export function SearchField({ label, value, onSearch, waitMs = 0, shortcut, ref }: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null)
  const field = ref ?? own
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Searches for what was typed last; null once that is done. */
  const pending = useRef<(() => void) | null>(null)
  // The value may also change by Back, or by a button that clears the filter.
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = value
  }, [value, field])
  const search = () => {
    const run = pending.current
    pending.current = null
    if (run && field.current?.isConnected) startTransition(run)
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
        // What is clicked next acts on the result, or clears it.
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
