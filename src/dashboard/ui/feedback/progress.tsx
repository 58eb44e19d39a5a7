import { percent } from '../../format/amount.ts'

/** A progress bar; `share` is 0 to 1, or null while unknown. */
export function Progress({ share, label }: { share: number | null; label: string }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <progress
        className="progress-bar w-24 max-sm:w-12"
        aria-label={label}
        {...(share === null ? {} : { value: share, max: 1 })}
      />
      {share !== null && <span className="text-xs text-ink-2">{percent(share)}</span>}
    </span>
  )
}
