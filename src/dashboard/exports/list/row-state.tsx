import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { usePreferences } from '../../format/preferences.ts'
import { useWaiting, type LaterVerb } from '../../ui/feedback/send-action.ts'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { count, percent } from '../../format/amount.ts'
import { exportTones } from '../../format/export-state.ts'
import { briefTime, exactTime } from '../../format/time.ts'

/** Shows an export's state in two short lines. */
export function RowState({ row }: { row: ExportOverview }) {
  const waiting = useWaiting(row.id)
  return (
    <span className="flex flex-col">
      <Status tone={exportTones[row.state]}>
        {row.state}
        {row.state === 'running' && runningShare(row)}
      </Status>
      <span className="truncate text-xs text-ink-3">
        {waiting ? waitingInWords[waiting] : <Since row={row} />}
      </span>
    </span>
  )
}

/** Shows an export's state in one line, and its missing windows, as a narrow strip may not reach back to them. */
export function ShortRowState({ row }: { row: ExportOverview }) {
  const waiting = useWaiting(row.id)
  return (
    <Status tone={exportTones[row.state]}>
      <span className="truncate">
        {waiting ? waitingInWords[waiting] : row.state}{' '}
        {row.missing > 0 && <span className="text-fail-ink">{count(row.missing)} missing </span>}
        {!waiting && row.state !== 'waiting' && row.missing === 0 && <Since row={row} />}
      </span>
    </Status>
  )
}

const waitingInWords: Record<LaterVerb, string> = {
  delete: 'about to be deleted',
  retry: 'about to be retried',
  backfill: 'about to be backfilled',
}

function runningShare({ running }: ExportOverview): string {
  if (!running?.records_total_count) return ''
  return ` ${percent(running.records_completed / running.records_total_count)}`
}

/** Shows since when an export has been failing or paused, or until when it is paused. */
function Since({ row }: { row: ExportOverview }) {
  switch (row.state) {
    case 'failing':
      return row.failing_since && <BriefTime word="since" time={Date.parse(row.failing_since)} />
    case 'paused':
      if (row.paused_until !== null) return <BriefTime word="until" time={Date.parse(row.paused_until)} />
      if (row.failing_since !== null) return <span className="text-fail-ink">while failing</span>
      return row.last_paused_at && <RelativeTime time={row.last_paused_at} />
    case 'auto-paused':
      return row.last_paused_at && <RelativeTime time={row.last_paused_at} />
    case 'waiting':
      return 'for its first run'
    case 'running':
    case 'healthy':
    case 'ended':
      return null
  }
}

function BriefTime({ word, time }: { word: string; time: number }) {
  const { zone } = usePreferences()
  const text = useNow((now) => briefTime(time, zone, now))
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time, zone)}>
      {word} {text}
    </time>
  )
}
