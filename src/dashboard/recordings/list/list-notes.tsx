import { useAccount } from '../../account.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { count, counted } from '../../words/amount.ts'
import { toast } from '../../ui/feedback/toasts.ts'

/** Explains how to get recordings where there are none yet. */
export function NoRecordings() {
  const { user, project } = useAccount()
  const token = user.organization.teams.find(({ id }) => id === project.id)?.api_token ?? ''
  const snippet = `posthog.init('${token}', {\n  api_host: '${location.origin}',\n})`
  const copy = () =>
    navigator.clipboard.writeText(snippet).then(
      () => toast('Snippet copied.'),
      () => toast('The browser did not let it be copied: select it and copy it by hand.', { tone: 'failed' }),
    )
  return (
    <EmptyState title="No recordings yet">
      <p>
        A recording shows what a visitor saw and did. Pages with posthog-js that are told to send to this
        address are recorded:
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
        , which records itself.
      </p>
    </EmptyState>
  )
}

/**
 * The number of recordings that came since the list was fetched, with a button that shows them. It floats over the table's head, so
 * that no row moves while someone reads.
 */
export function NewRecordings({ many, onShow }: { many: number; onShow: () => void }) {
  return (
    <output className="sticky top-0 z-2 flex h-0 justify-center">
      {many > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="mt-0.5 h-8 shrink-0 rounded-full border border-accent bg-raised px-3.5 font-medium shadow-overlay hover:bg-hover"
        >
          {counted(many, 'new recording')}: show {many === 1 ? 'it' : 'them'}
        </button>
      )}
    </output>
  )
}

/** `1,234 recordings`, or `about 1.2 million recordings` where it is not counted. */
export function countInWords(many: number, isEstimate: boolean): string {
  if (!isEstimate) return counted(many, 'recording')
  const rough = Number(many.toPrecision(2))
  const words = rough < 1_000_000 ? count(rough) : `${count(rough / 1_000_000)} million`
  return `about ${words} recordings`
}
