import { useQuery } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { coverageQuery, windowsOf } from '../../queries/exports/coverage.ts'
import type { PastRun } from '../../format/time-left.ts'
import { factsPeriod } from '../grid/period.ts'
import { useBounds } from '../grid/use-bounds.ts'

/** Newest runs that are compared. */
const pastMax = 50

/** Returns the newest completed runs of an export; the page's facts are computed from the same response. */
export function usePastRuns({ id, interval }: Pick<BatchExport, 'id' | 'interval'>): readonly PastRun[] {
  const { projectId } = useAccount()
  const { data } = useQuery(coverageQuery(projectId, id, useBounds(interval, factsPeriod(interval))))
  if (!data) return none
  return windowsOf(data)
    .flatMap(({ state, run }) =>
      state === 'completed' && run?.duration ? [{ duration: run.duration, records: run.records }] : [],
    )
    .slice(-pastMax)
}

const none: readonly PastRun[] = []
