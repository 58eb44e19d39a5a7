import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'

/** The lines that make posthog-js send to this service, with a button that copies them. */
export function CaptureSnippet() {
  const { user, project } = useAccount()
  const token = user.organization.teams.find(({ id }) => id === project.id)?.api_token ?? ''
  const snippet = `posthog.init('${token}', {\n  api_host: '${location.origin}',\n})`
  const copy = () =>
    copyText(snippet, 'Snippet copied.', 'The browser blocked copying. Select the snippet and copy it.')
  return (
    <>
      <pre className="max-w-full rounded-md border border-line bg-sunken px-3 py-2 text-left whitespace-pre-wrap wrap-anywhere select-all">
        {snippet}
      </pre>
      <Button onClick={() => void copy()}>Copy</Button>
    </>
  )
}
