import { percent } from '../../format/amount.ts'

type ProgressBarProps = { value?: number; max: number; label: string; className: string }

/** A bar without a text; it moves while there is no value. */
export function ProgressBar({ label, className, ...amounts }: ProgressBarProps) {
  return (
    <progress
      {...amounts}
      aria-label={label}
      className={`h-1 appearance-none overflow-hidden rounded-xs border-0 bg-idle [&::-moz-progress-bar]:bg-run [&::-webkit-progress-bar]:bg-idle [&::-webkit-progress-value]:bg-run [&::-webkit-progress-value]:transition-[width] ${className}`}
    />
  )
}

/** A progress bar; `share` is 0 to 1, or null while unknown. */
export function Progress({ share, label }: { share: number | null; label: string }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <ProgressBar
        label={label}
        className="w-24 max-sm:w-12"
        max={1}
        {...(share !== null && { value: share })}
      />
      {share !== null && <span className="text-xs text-ink-2">{percent(share)}</span>}
    </span>
  )
}
