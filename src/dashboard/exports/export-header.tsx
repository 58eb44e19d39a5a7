import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { exportCan, type BatchExport } from '../../contract/batch-export.ts'
import { useAccount } from '../account.ts'
import { useSetPaused } from '../queries/batch-exports.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { toastFailure } from '../ui/toasts.ts'
import { destinationFormat, destinationPlace, destinationRegion } from '../words/destination.ts'
import { everyInterval } from '../words/interval.ts'
import { ExportMenu } from './export-actions.tsx'
import { ExportStatus } from './export-status.tsx'

const BackfillDialog = lazy(() =>
  import('../forms/backfill-dialog.tsx').then((module) => ({ default: module.BackfillDialog })),
)

/** An export's name, state and actions, and in one sentence what it does. */
export function ExportHeader({ batchExport }: { batchExport: BatchExport }) {
  const { projectId, scopes } = useAccount()
  const navigate = useNavigate()
  const [backfilling, setBackfilling] = useState(false)
  const setPaused = useSetPaused(projectId)
  const { id, name, paused, destination, interval, model } = batchExport
  const every = everyInterval(interval)
  return (
    <>
      <PageHeader
        title={name}
        parent={
          <Link to="/exports" className="hover:text-ink">
            Batch exports
          </Link>
        }
        aside={<ExportStatus batchExport={batchExport} />}
      >
        <ExportMenu batchExport={batchExport} onDeleted={() => void navigate({ to: '/exports' })} />
        <ButtonLink to="/exports/$id/edit" params={{ id }} reason={exportCan.edit(batchExport, scopes)}>
          Edit
        </ButtonLink>
        <Button
          reason={exportCan[paused ? 'unpause' : 'pause'](batchExport, scopes)}
          onClick={() =>
            setPaused.mutate(
              { id, paused: !paused },
              { onError: toastFailure(`${name} could not be ${paused ? 'unpaused' : 'paused'}.`) },
            )
          }
        >
          {paused ? 'Unpause' : 'Pause'}
        </Button>
        <Button
          look="primary"
          reason={exportCan.backfill(batchExport, scopes)}
          onClick={() => setBackfilling(true)}
        >
          Backfill
        </Button>
      </PageHeader>
      <p className="mt-1 text-ink-2">
        {every.charAt(0).toUpperCase() + every.slice(1)}, <code>{model}</code> as{' '}
        {destinationFormat(destination)} to{' '}
        <code className="wrap-anywhere">{destinationPlace(destination)}</code>
        {destinationRegion(destination)}
      </p>
      <Suspense>
        {backfilling && <BackfillDialog batchExport={batchExport} onClose={() => setBackfilling(false)} />}
      </Suspense>
    </>
  )
}
