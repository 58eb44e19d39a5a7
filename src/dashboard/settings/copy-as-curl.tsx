import { useState } from 'react'
import type { BatchExport } from '../../contract/batch-export.ts'
import { secretFields } from '../../contract/destination.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { toast } from '../ui/toasts.ts'
import { exportAsCurl } from './export-as-curl.ts'

/** Copies the command that creates the same export; shows it where the browser does not let it be copied. */
export function CopyAsCurl({ batchExport }: { batchExport: BatchExport }) {
  const [isShown, setShown] = useState(false)
  const command = exportAsCurl(batchExport)
  const hasSecrets = secretFields[batchExport.destination.type].length > 0
  const todo = hasSecrets
    ? 'Set SPOOL_API_KEY and fill in the secrets, which stand as <…>.'
    : 'Set SPOOL_API_KEY before you run it.'
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => toast(`Copied. ${todo}`),
      () => setShown(true),
    )
  return (
    <>
      <Button onClick={() => void copy()}>
        <Icon name="copy" /> Copy as curl
      </Button>
      {isShown && (
        <Dialog title="Create the same export by curl" onClose={() => setShown(false)}>
          <div className="flex flex-col gap-3">
            <p className="text-ink-2">The browser did not let it be copied: select it by hand. {todo}</p>
            <pre
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that it scrolls by the arrow keys
              tabIndex={0}
              aria-label="Command"
              className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-3 select-all"
            >
              {command}
            </pre>
          </div>
        </Dialog>
      )}
    </>
  )
}
