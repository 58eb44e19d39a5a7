import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { exportCan, type BatchExport } from '../../contract/batch-export.ts'
import { useAccount } from '../account.ts'
import { Menu } from '../ui/menu.tsx'

const BackfillDialog = lazy(() =>
  import('../forms/backfill-dialog.tsx').then((module) => ({ default: module.BackfillDialog })),
)
const DeleteExport = lazy(() =>
  import('./delete-export.tsx').then((module) => ({ default: module.DeleteExport })),
)

/** The menu of everything that can be done with one export, and the dialogs that it opens. */
export function ExportMenu({ batchExport, onDeleted }: { batchExport: BatchExport; onDeleted?: () => void }) {
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'backfill' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const { id, name } = batchExport
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        items={[
          {
            label: 'Edit',
            reason: exportCan.edit(batchExport, scopes),
            onSelect: () => void navigate({ to: '/exports/$id/edit', params: { id } }),
          },
          {
            label: 'Backfill…',
            reason: exportCan.backfill(batchExport, scopes),
            onSelect: () => setOpen('backfill'),
          },
          {
            label: 'Delete…',
            danger: true,
            reason: exportCan.delete(batchExport, scopes),
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      <Suspense>
        {open === 'backfill' && <BackfillDialog batchExport={batchExport} onClose={close} />}
        {open === 'delete' && (
          <DeleteExport batchExport={batchExport} onClose={close} {...(onDeleted ? { onDeleted } : {})} />
        )}
      </Suspense>
    </>
  )
}
