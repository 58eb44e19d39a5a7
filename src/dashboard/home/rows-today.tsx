import type { ProjectHealth } from '../../contract/repair/project-health.ts'
import { count, counted } from '../format/amount.ts'
import { usePreferences } from '../format/preferences.ts'
import { briefTime, zoneName } from '../format/time.ts'

/** Rows of the UTC day until the service's time `at`, beside the usual for this time of the week. */
export function RowsToday({ rows, at }: { rows: ProjectHealth['rows']; at: string }) {
  const { today, compared, usual, weeks, until } = rows
  const { zone } = usePreferences()
  const most = Math.max(compared, usual ?? 0, 1)
  return (
    <section aria-labelledby="rows">
      <h2 id="rows" className="mb-1.5">
        Rows today{' '}
        <span className="text-xs font-normal text-ink-3">
          (UTC) until {briefTime(Date.parse(until), zone, Date.parse(at))} {zoneName(zone)}
        </span>
      </h2>
      <p>
        <span className="text-lg font-medium tabular-nums">{count(today)}</span>{' '}
        <span className="text-ink-2">
          {usual === null
            ? 'rows; comparison available after a week'
            : `rows${compared < today ? `; ${count(compared)} of exports with a history,` : ','} ${count(Math.round((compared / Math.max(1, usual)) * 100))} % of the usual ${count(usual)} (${counted(weeks, 'week')})`}
        </span>
      </p>
      {usual !== null && (
        <span aria-hidden="true" className="relative mt-1 block h-2 rounded-sm bg-hover">
          <span className="block h-full rounded-sm bg-run" style={{ width: `${(compared / most) * 100}%` }} />
          <span
            className="absolute -inset-y-0.5 w-0.5 bg-ink"
            style={{ left: `calc(${(usual / most) * 100}% - 2px)` }}
          />
        </span>
      )}
    </section>
  )
}
