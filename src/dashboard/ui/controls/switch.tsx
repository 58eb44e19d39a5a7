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
        className="switch"
      />
      {tip}
    </>
  )
}
