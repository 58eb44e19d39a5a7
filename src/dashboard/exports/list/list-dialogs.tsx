import { lazy } from 'react'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { PauseDialog } from '../pause/pause-dialog.tsx'
import { BackfillMany } from './backfill-many.tsx'
import type { OpenedDialog } from './opened-dialog.ts'

const ExportCurl = lazy(() =>
  import('../curl/export-curl.tsx').then((module) => ({ default: module.ExportCurl })),
)

type ListDialogsProps = { opened: OpenedDialog; rows: readonly ExportOverview[]; onClose: () => void }

/** Shows the list's dialogs; `rows`: the exports as they are now, since a toast can open a dialog for exports that have changed. */
export function ListDialogs({ opened: { kind, of }, rows, onClose }: ListDialogsProps) {
  const exports = of.map((row) => rows.find(({ id }) => id === row.id) ?? row)
  if (kind === 'pause') return <PauseDialog exports={exports} onClose={onClose} />
  if (kind === 'curl') return <ExportCurl rows={exports} onClose={onClose} />
  return <BackfillMany rows={exports} onClose={onClose} />
}
