import { openDestination } from '../destinations/destination-drivers.ts'
import { explainError, type Explanation } from '../destinations/explain-error.ts'
import { hashPads } from './tables/changed-columns.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'

/** Explains a failure of `exportRun`. */
export async function explainFailure(
  services: Pick<Services, 'secrets' | 'store'>,
  exportRow: BatchExportRow,
  error: unknown,
): Promise<Explanation> {
  const hasQuery = exportRow.hogql_query !== null
  try {
    const { explained } = await openDestination(services, exportRow)
    const keys = Object.values(hashPads(services.secrets, exportRow.project_id))
    return explainError(error, { ...explained, secrets: [...explained.secrets, ...keys], hasQuery })
  } catch (unreadable) {
    // The secrets are unknown here, so only this error is safe to show.
    return explainError(unreadable, { rules: [], secrets: [], hasQuery })
  }
}
