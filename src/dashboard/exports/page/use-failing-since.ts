import { useQuery } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { failingSince } from '../../../contract/runs/failing-since.ts'
import { stripLength } from '../../../contract/exports/overview.ts'
import { useAccount } from '../../account.ts'
import { coverageQuery, windowsOf } from '../../queries/exports/coverage.ts'
import { factsPeriod } from '../grid/period.ts'
import { useBounds } from '../grid/use-bounds.ts'

/**
 * Returns the start (ms) of the first window that failed since the last completed one, as the list of exports does: among the
 * windows of its strip. Null if none has failed since, undefined until that is known.
 */
export function useFailingSince({
  id,
  interval,
}: Pick<BatchExport, 'id' | 'interval'>): number | null | undefined {
  const { projectId } = useAccount()
  const period = useBounds(interval, factsPeriod(interval))
  const { data, isPending } = useQuery(coverageQuery(projectId, id, period))
  if (isPending) return undefined
  // The current window comes after those of the strip.
  const windows = data ? windowsOf(data).slice(-stripLength - 1) : []
  return failingSince(
    windows,
    windows.map(({ state }) => state),
  )
}
