import { useAccount } from '../../account.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { copyText } from '../../ui/feedback/copy-text.ts'

/** Explains how to get recordings if there are none yet. */
export function NoRecordings() {
  const { user, project } = useAccount()
  const token = user.organization.teams.find(({ id }) => id === project.id)?.api_token ?? ''
  const snippet = `posthog.init('${token}', {\n  api_host: '${location.origin}',\n})`
  const copy = () =>
    copyText(snippet, 'Snippet copied.', 'The browser blocked copying. Select the snippet and copy it.')
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
