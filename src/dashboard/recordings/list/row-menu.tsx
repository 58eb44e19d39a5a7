import { useNavigate } from '@tanstack/react-router'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { Menu } from '../../ui/menu.tsx'
import { possibleFor, type Deed } from './deeds.ts'

type RowMenuProps = {
  row: SessionRecording
  name: string
  /** The place in the list, for the recording's own page. */
  search: { list: string | undefined; row: number }
  onAct: (deed: Deed, rows: readonly SessionRecording[]) => void
}

/** Everything that can be done with one recording of the list. */
export function RowMenu({ row, name, search, onAct }: RowMenuProps) {
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const item = (label: string, deed: Deed) => ({
    label,
    reason: possibleFor(deed, [row], scopes).reason,
    danger: deed === 'delete',
    onSelect: () => onAct(deed, [row]),
  })
  return (
    <Menu
      label={`Actions for the recording of ${name}`}
      items={[
        {
          label: 'Open',
          onSelect: () => void navigate({ to: '/recordings/$id', params: { id: row.id }, search }),
        },
        item('Share…', 'share'),
        item('Summarize', 'summarize'),
        item('Keep', 'keep'),
        row.viewed === '' ? item('Mark as watched', 'watched') : item('Mark as unwatched', 'unwatched'),
        item('Delete', 'delete'),
      ]}
    />
  )
}
