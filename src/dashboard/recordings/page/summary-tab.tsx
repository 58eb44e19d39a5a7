import type { Player } from '../player/player.ts'
import { SummaryPanel } from '../summary/summary-panel.tsx'

type SummaryTabProps = { projectId: string; recordingId: string; player: Player }

/** The session's summary; a click on a sentence seeks to its moment. */
export function SummaryTab({ player, ...recording }: SummaryTabProps) {
  return (
    <div className="overflow-y-auto p-3.5">
      <SummaryPanel {...recording} onSeek={(seconds) => player.seek(seconds * 1000)} />
    </div>
  )
}
