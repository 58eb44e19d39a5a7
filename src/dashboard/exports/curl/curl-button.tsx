import { lazy, Suspense, useState } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Button } from '../../ui/controls/button.tsx'

const ExportCurl = lazy(() => import('./export-curl.tsx').then((module) => ({ default: module.ExportCurl })))

/** Opens the dialog that shows all actions on an export as curl commands. */
export function CurlButton({ batchExport }: { batchExport: BatchExport }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Button onClick={() => setShown(true)}>Show as curl</Button>
      <Suspense>{isShown && <ExportCurl rows={[batchExport]} onClose={() => setShown(false)} />}</Suspense>
    </>
  )
}
