import { useNavigate } from '@tanstack/react-router'
import { writeReason } from '../../../contract/batch-export-run.ts'
import { exportCan } from '../../../contract/batch-export.ts'
import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { useCopyAsCurl } from '../settings/use-copy-as-curl.ts'
import { Menu } from '../../ui/menu.tsx'
import { possibleFor, type Deed } from './deeds.ts'

type RowMenuProps = {
  row: ExportOverview
  project: number | undefined
  onAct: (deed: Deed, rows: readonly ExportOverview[]) => void
}

/** Everything that can be done with one export of the list. */
export function RowMenu({ row, project, onAct }: RowMenuProps) {
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const copyAsCurl = useCopyAsCurl()
  const { id, name } = row
  const item = (label: string, deed: Deed) => ({
    label,
    reason: possibleFor(deed, [row], scopes).reason,
    danger: deed === 'delete',
    onSelect: () => onAct(deed, [row]),
  })
  return (
    <Menu
      label={`Actions for ${name}`}
      items={[
        {
          label: 'Open',
          onSelect: () => void navigate({ to: '/exports/$id', params: { id }, search: { project } }),
        },
        row.paused ? item('Unpause', 'unpause') : item('Pause', 'pause'),
        item('Backfill…', 'backfill'),
        item('Retry failed', 'retry'),
        {
          label: 'Edit',
          reason: exportCan.edit(row, scopes),
          onSelect: () => void navigate({ to: '/exports/$id/edit', params: { id }, search: { project } }),
        },
        {
          label: 'Clone',
          reason: writeReason(scopes),
          onSelect: () => void navigate({ to: '/exports/new', search: { from: id, project } }),
        },
        { label: 'Copy as curl', onSelect: () => copyAsCurl(row) },
        item('Delete', 'delete'),
      ]}
    />
  )
}
