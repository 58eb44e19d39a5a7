import { Options } from './options.tsx'

type SelectChipProps<Value extends string> = {
  label: string
  value: Value
  choices: readonly (readonly [Value, string])[]
  /** The default choice; the first one if omitted. */
  usual?: Value
  onChange: (value: Value) => void
}

/** A choice in a filter bar, highlighted when it differs from the default. */
export function SelectChip<Value extends string>({
  label,
  value,
  choices,
  usual = choices[0]?.[0],
  onChange,
}: SelectChipProps<Value>) {
  return (
    <label
      className={`inline-flex h-8 shrink-0 items-center gap-1 rounded-md border bg-raised pl-2.5 text-ink-2 focus-within:border-accent ${value === usual ? 'border-line' : 'border-accent'}`}
    >
      {label}
      <select
        value={value}
        onChange={(event) => {
          const chosen = choices.find(([candidate]) => candidate === event.target.value)
          if (chosen) onChange(chosen[0])
        }}
        className="field-sizing-content h-full max-w-48 rounded-md bg-raised px-1 font-medium text-ink"
      >
        <Options of={choices} />
      </select>
    </label>
  )
}
