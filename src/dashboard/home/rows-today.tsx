import type { ProjectHealth } from '../../contract/repair/project-health.ts'
import { count, counted } from '../format/amount.ts'
import { usePreferences } from '../format/preferences.ts'
import { briefTime, windowInWords, zoneName } from '../format/time.ts'
import { Section } from '../ui/section.tsx'

const dayMs = 86_400_000

/** Rows of the UTC day until the service's time `at`, beside the usual for this time of the week. */
export function RowsToday({ rows, at }: { rows: ProjectHealth['rows']; at: string }) {
  const { today, compared, usual, until } = rows
  const { zone } = usePreferences()
  const most = Math.max(compared, usual ?? 0, 1)
  const now = Date.parse(at)
  const start = Math.floor(Date.parse(until) / dayMs) * dayMs
  const day = windowInWords({ start, end: start + dayMs }, 'utc', now)
  return (
    <Section
      title={`Rows on ${day}`}
      aside={`UTC day, until ${briefTime(Date.parse(until), zone, now)} ${zoneName(zone)}`}
    >
      <p>
        <span className="text-lg font-medium tabular-nums">{count(today)}</span>{' '}
        <span className="text-ink-2">{usualInWords(rows)}</span>
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
    </Section>
  )
}

type Rows = Omit<ProjectHealth['rows'], 'until'>

/** Says what the day's rows are compared with: `rows: 98 % of 1,200, the median at this weekday and time over the last 3 weeks`. */
export function usualInWords({ today, compared, usual, weeks }: Rows): string {
  if (usual === null) return 'rows; a comparison follows after a week'
  const median = `the median at this weekday and time over the last ${counted(weeks, 'week')}`
  const percentage = count(Math.round((compared / Math.max(1, usual)) * 100))
  const share = `${percentage} % of ${count(usual)}, ${weeks === 1 ? 'the rows at this time a week ago' : median}`
  return compared === today
    ? `rows: ${share}`
    : `rows, ${count(compared)} of them from exports that also ran then: ${share}`
}
