import { useState } from 'react'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { copyExport, copyNeeds } from './copy-export.ts'
import { exportAsCurl } from './export-as-curl.ts'

/** Copies the curl command that creates the same export; shows it if the browser blocks copying. */
export function CopyAsCurl({ batchExport }: { batchExport: BatchExport }) {
  const [isShown, setShown] = useState(false)
  const copy = async () => setShown(!(await copyExport(batchExport)))
  return (
    <>
      <Button onClick={() => void copy()}>
        <Icon name="copy" /> Copy as curl
      </Button>
      {isShown && (
        <Dialog title="Create the same export with curl" onClose={() => setShown(false)}>
          <div className="flex flex-col gap-3">
            <p className="text-ink-2">
              The browser blocked copying. Select the command and copy it. {copyNeeds(batchExport)}
            </p>
            <pre
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets the arrow keys scroll it
              tabIndex={0}
              aria-label="Command"
              className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-3 select-all"
            >
              {exportAsCurl(batchExport)}
            </pre>
          </div>
        </Dialog>
      )}
    </>
  )
}
