import { useTip } from './button.tsx'

type SwitchProps = {
  /** Accessible name: the feature that the switch turns on. */
  label: string
  on: boolean
  onChange: (on: boolean) => void
  /** Why the switch is disabled. */
  reason?: string | null
}

export function Switch({ label, on, onChange, reason = null }: SwitchProps) {
  const { tip, ...tipProps } = useTip(reason)
  return (
    <>
      <input
        {...tipProps}
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-disabled={reason !== null || undefined}
        aria-checked={on}
        checked={on}
        onChange={() => (reason === null ? onChange(!on) : undefined)}
        className="relative h-4 w-7 flex-none appearance-none rounded-lg bg-edge transition-[background-color] before:absolute before:top-0.5 before:left-0.5 before:size-3 before:rounded-full before:bg-raised before:transition-transform checked:bg-accent checked:before:translate-x-3 aria-disabled:opacity-55"
      />
      {tip}
    </>
  )
}
