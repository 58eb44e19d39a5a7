import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'

export type Choice = { value: string; title: string; hint: ReactNode }

type ChoiceCardsProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'className' | 'value'> & {
  legend: string
  choices: readonly Choice[]
  /** The chosen value. */
  value: string
  hint?: ReactNode
  error?: ReactNode
}

/** A choice of one among a few, each explained on a card; the other props are those of the radio buttons. */
export function ChoiceCards({ legend, choices, value, hint, error, ...rest }: ChoiceCardsProps) {
  const id = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex cursor-pointer items-start gap-2 rounded-md border border-line-strong bg-raised px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-selected has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
          >
            <input
              {...rest}
              type="radio"
              value={choice.value}
              defaultChecked={choice.value === value}
              aria-labelledby={`${id}-${choice.value}`}
              aria-describedby={`${id}-${choice.value}-hint${error ? ` ${id}-error` : ''}`}
              className="mt-[3.5px] accent-accent outline-none"
            />
            <span className="min-w-0">
              <span id={`${id}-${choice.value}`} className="block font-medium">
                {choice.title}
              </span>
              <span id={`${id}-${choice.value}-hint`} className="block text-xs text-ink-3">
                {choice.hint}
              </span>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <div id={`${id}-error`} className="mt-1 text-fail-ink wrap-anywhere">
          {error}
        </div>
      )}
      {hint && <div className="mt-1 text-xs text-ink-3">{hint}</div>}
    </fieldset>
  )
}
