import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { Icon } from '../../ui/icon.tsx'
import type { CurlRequest } from './export-requests.ts'

type CurlDialogProps = { title: string; requests: readonly CurlRequest[]; onClose: () => void }

/** Lists actions as curl commands, to copy. */
export function CurlDialog({ title, requests, onClose }: CurlDialogProps) {
  const hasSecrets = requests.some(({ command }) => /"<\w+>"/.test(command))
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <div className="flex flex-col gap-5">
        {requests.length === 0 && <p>Nothing has been changed in this tab since the page was loaded.</p>}
        <p className="text-ink-2">
          The commands take the API key from the variable <code>SPOOL_API_KEY</code>.
          {hasSecrets && ' Replace each <…> with a secret.'}
        </p>
        {requests.map(({ label, command }) => (
          <section key={command} aria-label={label} className="flex flex-col gap-1.5">
            <div className="flex items-center justify-between gap-3">
              <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
              <Button aria-label={`Copy: ${label}`} onClick={() => void copyText(command, 'Copied as curl.')}>
                <Icon name="copy" /> Copy
              </Button>
            </div>
            <pre
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets the arrow keys scroll it
              tabIndex={0}
              aria-label={`Command: ${label}`}
              className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3"
            >
              {command}
            </pre>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
