import { useNavigate } from '@tanstack/react-router'
import { writeReason } from '../../../contract/batch-export-run.ts'
import { exportCan, type BatchExport } from '../../../contract/batch-export.ts'
import { useAccount } from '../../account.ts'
import { Menu } from '../../ui/menu.tsx'
import { useCopyAsCurl } from '../settings/use-copy-as-curl.ts'
import { useDeleteExport } from './use-delete-export.ts'

type ExportMenuProps = {
  batchExport: BatchExport
  onBackfill: () => void
  onPause: () => void
}

/** The menu with all actions for an export. */
export function ExportMenu({ batchExport, onBackfill, onPause }: ExportMenuProps) {
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const copyAsCurl = useCopyAsCurl()
  const remove = useDeleteExport()
  const { id, name, paused } = batchExport
  return (
    <Menu
      label={`Actions for ${name}`}
      items={[
        {
          label: 'Edit',
          reason: exportCan.edit(batchExport, scopes),
          onSelect: () => void navigate({ to: '/exports/$id/edit', params: { id } }),
        },
        {
          label: paused ? 'Unpause' : 'Pause',
          reason: exportCan[paused ? 'unpause' : 'pause'](batchExport, scopes),
          onSelect: onPause,
        },
        { label: 'Backfill…', reason: exportCan.backfill(batchExport, scopes), onSelect: onBackfill },
        {
          label: 'Clone',
          reason: writeReason(scopes),
          onSelect: () => void navigate({ to: '/exports/new', search: { from: id } }),
        },
        { label: 'Copy as curl', onSelect: () => copyAsCurl(batchExport) },
        {
          label: 'Delete',
          danger: true,
          reason: exportCan.delete(batchExport, scopes),
          onSelect: () => {
            remove(batchExport)
            void navigate({ to: '/exports' })
          },
        },
      ]}
    />
  )
}
