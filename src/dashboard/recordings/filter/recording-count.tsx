import { count, counted } from '../../format/amount.ts'

/**
 * Shows the number of recordings that arrived since the list was fetched, as a button that loads them. It floats over the
 * table's head, so that the rows do not move.
 */
export function NewRecordings({ amount, onShow }: { amount: number; onShow: () => void }) {
  return (
    <output className="sticky top-0 z-2 flex h-0 justify-center">
      {amount > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="mt-0.5 h-8 shrink-0 rounded-full border border-accent bg-raised px-3.5 font-medium shadow-overlay hover:bg-hover"
        >
          Show {counted(amount, 'new recording')}
        </button>
      )}
    </output>
  )
}

type Count = { count: number; count_is_estimate: boolean }

/** Shows the number of recordings beside a page's title. */
export function RecordingCount({ of }: { of: Count | undefined }) {
  return of && <output className="text-ink-3">{countInWords(of)}</output>
}

/** Formats a count: `1,234 recordings`, or `about 1.2 million recordings` for an estimate. */
export function countInWords({ count: amount, count_is_estimate: isEstimate }: Count): string {
  if (!isEstimate) return counted(amount, 'recording')
  const rough = Number(amount.toPrecision(2))
  const words = rough < 1_000_000 ? count(rough) : `${count(rough / 1_000_000)} million`
  return `about ${words} recordings`
}
