import { useAccount } from '../../account.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { count, counted } from '../../words/amount.ts'
import { toast } from '../../ui/feedback/toasts.ts'

/** Explains how to get recordings if there are none yet. */
export function NoRecordings() {
  const { user, project } = useAccount()
  const token = user.organization.teams.find(({ id }) => id === project.id)?.api_token ?? ''
  const snippet = `posthog.init('${token}', {\n  api_host: '${location.origin}',\n})`
  const copy = () =>
    navigator.clipboard.writeText(snippet).then(
      () => toast('Snippet copied.'),
      () => toast('The browser blocked copying. Select the snippet and copy it.', { tone: 'failed' }),
    )
  return (
    <EmptyState title="No recordings yet">
      <p>
        A recording shows what a visitor saw and did. To record your pages, let posthog-js send to this
        service:
      </p>
      <pre className="max-w-full rounded-md border border-line bg-sunken px-3 py-2 text-left whitespace-pre-wrap wrap-anywhere select-all">
        {snippet}
      </pre>
      <Button onClick={() => void copy()}>Copy</Button>
      <p>
        Or visit the{' '}
        <a href="/demo/" target="_blank" rel="noreferrer" className="underline underline-offset-3">
          demo shop
        </a>
        , which records its visitors.
      </p>
    </EmptyState>
  )
}

/**
 * Shows the number of recordings that arrived since the list was fetched, as a button that loads them. It floats over the
 * table header, so that the rows do not move.
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

/** Formats a count: `1,234 recordings`, or `about 1.2 million recordings` for an estimate. */
export function countInWords(amount: number, isEstimate: boolean): string {
  if (!isEstimate) return counted(amount, 'recording')
  const rough = Number(amount.toPrecision(2))
  const words = rough < 1_000_000 ? count(rough) : `${count(rough / 1_000_000)} million`
  return `about ${words} recordings`
}
