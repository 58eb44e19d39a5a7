import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '../../contract/instant.ts'
import { writeReason } from '../../contract/runs/run-status.ts'
import { useAccount } from '../account.ts'
import { useBulkActions } from '../exports/failures/use-bulk-actions.ts'
import { count, counted } from '../format/amount.ts'
import { usePreferences } from '../format/preferences.ts'
import { dayStart } from '../format/time.ts'
import { failuresSinceQuery } from '../queries/exports/failure-causes.ts'
import { Button } from '../ui/controls/button.tsx'
import { useNow } from '../ui/use-now.ts'

/** Retries the windows that failed today and that no run has exported since, except those of paused exports. */
export function RetryToday() {
  const { projectId, scopes } = useAccount()
  const { zone } = usePreferences()
  const today = useNow((now) => dayStart(now, zone))
  const after = formatInstant(today)
  const { busy, perform } = useBulkActions(after)
  const { data } = useQuery(failuresSinceQuery(projectId, today))
  const paused = (data?.results ?? []).flatMap(({ exports }) =>
    exports.filter((one) => one.paused && one.windows_left > 0),
  )
  const windows = paused.reduce((left, one) => left - one.windows_left, data?.windows_left ?? 0)
  if (windows <= 0) return null
  const leftOut = new Set(paused.map(({ id }) => id)).size
  const retry = () =>
    void perform('The failures could not be retried.', [
      { action: 'export_windows', filter: { after, paused: false } },
    ])
  return (
    <>
      {leftOut > 0 && <span className="text-ink-3">{counted(leftOut, 'paused export')} left out</span>}
      <Button busy={busy} reason={writeReason(scopes)} onClick={retry}>
        Retry today’s failures ({count(windows)})
      </Button>
    </>
  )
}
