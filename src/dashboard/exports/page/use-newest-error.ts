import { useQuery } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { runsQuery } from '../../queries/exports/runs.ts'
import { hasFailed } from '../../format/export-state.ts'

/** Returns the error of an export's newest failed run, or null while it loads or if no run failed. */
export function useNewestError({ id, latest_runs: latest }: BatchExport): string | null {
  const { projectId } = useAccount()
  const known = latest.find(({ status }) => hasFailed(status))
  // The runs of a backfill can follow the failed one.
  const { data } = useQuery({
    ...runsQuery(projectId, id, { status: ['Failed', 'TimedOut'] }),
    enabled: !known,
  })
  return (known ?? data?.results[0])?.latest_error ?? null
}
