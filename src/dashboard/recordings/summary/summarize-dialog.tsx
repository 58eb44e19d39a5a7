import { useNavigate } from '@tanstack/react-router'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { namedRecordings } from '../../format/recording-name.ts'
import { SummaryPanel } from './summary-panel.tsx'

type SummarizeDialogProps = { rows: readonly SessionRecording[]; onClose: () => void }

/** The summary of a recording. */
export function SummarizeDialog({ rows, onClose }: SummarizeDialogProps) {
  const navigate = useNavigate()
  return (
    <Dialog title={`Summary of ${namedRecordings(rows)}`} onClose={onClose}>
      {rows.map(({ id }) => (
        <SummaryPanel
          key={id}
          recordingId={id}
          onSeek={(t) =>
            void navigate({ to: '/recordings/$id', params: { id }, search: { t: Math.floor(t) } })
          }
        />
      ))}
    </Dialog>
  )
}
