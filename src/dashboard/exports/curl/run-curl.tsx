import { lazy, Suspense, useState } from 'react'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { Button } from '../../ui/controls/button.tsx'

const RunCurlDialog = lazy(() =>
  import('./run-curl-dialog.tsx').then((module) => ({ default: module.RunCurlDialog })),
)

/** Opens the dialog that shows all actions on a run as curl commands. */
export function RunCurl({ run }: { run: BatchExportRun }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setShown(true)}>
        Show as curl
      </Button>
      <Suspense>{isShown && <RunCurlDialog run={run} onClose={() => setShown(false)} />}</Suspense>
    </>
  )
}
