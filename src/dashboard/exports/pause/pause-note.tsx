import { useCallback } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Button } from '../../ui/controls/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { skippedInWords } from '../../format/pause.ts'
import { usePreferences } from '../../format/preferences.ts'

type PauseNoteProps = {
  batchExport: BatchExport
  /** Why the pause cannot be changed. */
  reason: string | null
  onEdit: () => void
}

/** Shows why an export is paused, what the pause skips and until when. */
export function PauseNote({ batchExport, reason, onEdit }: PauseNoteProps) {
  const { zone } = usePreferences()
  const { pause_reason: why, paused_until: until, last_paused_at: pausedAt } = batchExport
  const from = pausedAt === null ? null : Date.parse(pausedAt)
  const end = until === null ? null : Date.parse(until)
  const skipped = useNow(
    useCallback(
      (now: number) => from !== null && skippedInWords(batchExport, { from, until: end }, zone, now),
      [batchExport, from, end, zone],
    ),
  )
  return (
    <section
      aria-label="Pause"
      className="mt-3 flex flex-wrap items-center gap-3 rounded-md border border-line px-3 py-2"
    >
      <p className="min-w-64 flex-1 wrap-anywhere">
        <strong className="font-semibold">
          Paused {pausedAt && <RelativeTime time={pausedAt} />}
          {why !== null && <>: “{why}”</>}.
        </strong>{' '}
        {until !== null && (
          <>
            Ends <RelativeTime time={until} />.{' '}
          </>
        )}
        <span className="text-ink-2">{skipped}</span>
      </p>
      <Button reason={reason} onClick={onEdit}>
        {why === null && until === null ? 'Add a reason or an end' : 'Change'}
      </Button>
    </section>
  )
}
