import type { KeyboardEvent, Ref } from 'react'

type FindFieldProps = {
  label: string
  placeholder?: string
  /** Of the list whose options the field finds. */
  listId: string
  /** Id of the option that Enter chooses. */
  activeId: string | undefined
  typed: string
  onType: (typed: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  takesFocus?: boolean
  className: string
  ref?: Ref<HTMLInputElement>
}

/** A text field that keeps the focus while keys move through the options of a list below it. */
export function FindField(props: FindFieldProps) {
  const {
    label,
    placeholder = label,
    listId,
    activeId,
    typed,
    onType,
    onKeyDown,
    takesFocus,
    className,
    ref,
  } = props
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
      value={typed}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={onKeyDown}
      className={className}
    />
  )
}
