import { useQuery } from '@tanstack/react-query'
import { parseInstant } from '../../../contract/instant.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { useAccount } from '../../account.ts'
import { coverageQuery, windowsOf } from '../../queries/exports/coverage.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { useNow } from '../../ui/use-now.ts'
import { customBounds, factsPeriod, periodBounds, periodsFor, type PeriodName } from './period.ts'

/**
 * Returns the bounds of a period up to now, or up to `until` (ms) if that has passed; they move on whenever a window ends.
 */
function useBounds(interval: Interval, period: PeriodName, until = Infinity): Window {
  const end = useNow((now) => windowAt(interval, Math.min(now, until)).end)
  return periodBounds(interval, period, end - 1)
}

/**
 * Returns the windows of the period from which an export's facts are derived, oldest first; undefined until they are known.
 */
export function useRecentWindows(batchExport: Pick<BatchExport, 'id' | 'interval' | 'team_id'>) {
  const { id, interval, team_id: project } = batchExport
  const bounds = useBounds(interval, factsPeriod(interval))
  const { data: coverage, isPending } = useQuery(coverageQuery(String(project), id, bounds))
  return { coverage, windows: coverage && windowsOf(coverage), isPending }
}

/**
 * Returns the start (ms) of the first window that failed since the last completed one, as in the list of exports. Null if none
 * has failed since, undefined until that is known.
 */
export function useFailingSince({ id }: Pick<BatchExport, 'id'>) {
  const { projectId } = useAccount()
  const { data: since } = useQuery({
    ...overviewQuery({ projectId }),
    select: ({ results }) => results.find((row) => row.id === id)?.failing_since ?? null,
  })
  return typeof since === 'string' ? Date.parse(since) : since
}

/** Search parameters that choose a period. */
export type ChosenPeriod = {
  period?: PeriodName | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * Returns the period that the URL chooses, else `usual`; the name is null for a custom period. `until` (ms): end of the
 * usual period, if that has passed.
 */
export function useChosenPeriod(interval: Interval, chosen: ChosenPeriod, usual: PeriodName, until?: number) {
  const fits = chosen.period !== undefined && periodsFor(interval).includes(chosen.period)
  const period = fits && chosen.period ? chosen.period : usual
  const named = useBounds(interval, period, fits ? undefined : until)
  const [from, to] = [chosen.from, chosen.to].map((text) => parseInstant(text ?? '')?.time)
  if (from === undefined || to === undefined) return { period, bounds: named }
  return { period: null, bounds: customBounds(interval, from, to) }
}
