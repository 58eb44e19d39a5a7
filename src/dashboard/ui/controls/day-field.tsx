import { useState } from 'react'

type DayFieldProps = {
  label: string
  /** Like 2026-01-31; "" for none. */
  date: string
  onDate: (date: string) => void
  /** `chip`: as high as the chips of a period; `control`: as high as the other controls of a filter bar. */
  size?: 'chip' | 'control'
}

/** A date that is applied on Enter or when the field is left; on Enter it keeps the focus. */
export function DayField({ label, date, onDate, size = 'chip' }: DayFieldProps) {
  const [typed, setTyped] = useState({ date, of: date })
  const shown = typed.of === date ? typed.date : date
  const apply = () => {
    if (shown !== date) onDate(shown)
  }
  return (
    <input
      type="date"
      aria-label={label}
      value={shown}
      onChange={(event) => setTyped({ date: event.target.value, of: date })}
      onBlur={() => {
        apply()
        // A period that is too long is shortened, so the applied day may differ from the typed one.
        setTyped({ date, of: date })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
      className={`rounded-md border border-line-strong bg-raised px-1.5 ${size === 'chip' ? 'h-6 text-xs' : 'h-8'}`}
    />
  )
}
