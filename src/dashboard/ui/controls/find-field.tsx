import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react'
import { flushSync } from 'react-dom'
import { nextPaint } from './next-paint.ts'

type FindFieldProps = {
  label: string
  placeholder?: string
  /** Of the list whose options the field finds. */
  listId: string
  /** Id of the option that Enter chooses. */
  activeId: string | undefined
  typed: string
  /** Called after the typed text is painted, or before a key such as Enter or an arrow acts. */
  onType: (typed: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  takesFocus?: boolean
  className: string
  ref?: Ref<HTMLInputElement>
}

/** A text field that keeps the focus while keys move through the options of a list below it. */
export function FindField(props: FindFieldProps) {
  const { label, placeholder = label, listId, activeId, typed, takesFocus, className, ref } = props
  /** What was typed since the last call of `onType`, or null. */
  const [pending, setPending] = useState<string | null>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const apply = useCallback((text: string) => {
    latest.current.onType(text)
    setPending(null)
  }, [])
  useEffect(() => {
    if (pending === null) return undefined
    let isLatest = true
    void nextPaint().then(() => isLatest && apply(pending))
    return () => {
      isLatest = false
    }
  }, [apply, pending])
  const press = (event: KeyboardEvent) => {
    // First, so that the key acts on the options for everything that was typed.
    if (pending !== null && event.key.length > 1) flushSync(() => apply(pending))
    latest.current.onKeyDown(event)
  }
  return (
    <input
      ref={ref}
      type="text"
      role="combobox"
      aria-label={label}
      aria-expanded="true"
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={activeId}
      placeholder={placeholder}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- only for the first field of what a key or button has just opened
      autoFocus={takesFocus}
      autoComplete="off"
      spellCheck={false}
      value={pending ?? typed}
      onChange={(event) => setPending(event.target.value)}
      onKeyDown={press}
      // A click takes the focus; letters that are not painted yet must not appear in the next step's field.
      onBlur={() => setPending(null)}
      className={className}
    />
  )
}
