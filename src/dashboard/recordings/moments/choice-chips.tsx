type ChoiceChipsProps<Choice extends string> = {
  label: string
  choices: readonly Choice[]
  value: Choice
  onChange: (value: Choice) => void
}

/** A row of buttons of which one is chosen. */
export function ChoiceChips<Choice extends string>({
  label,
  choices,
  value,
  onChange,
}: ChoiceChipsProps<Choice>) {
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-1">
      {choices.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={value === each}
          onClick={() => onChange(each)}
          className="h-6 rounded-sm border border-line px-1.5 text-xs text-ink-2 capitalize hover:bg-hover aria-pressed:border-accent aria-pressed:text-ink"
        >
          {each}
        </button>
      ))}
    </fieldset>
  )
}
