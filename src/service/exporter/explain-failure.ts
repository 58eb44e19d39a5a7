import { explainedAt, openDestination } from '../destinations/destination-config.ts'
import { explainError, type Explanation } from '../destinations/explain-error.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'

/** Explains a failure of `exportRun`. */
export function explainFailure(
  services: Pick<Services, 'secrets'>,
  exportRow: BatchExportRow,
  error: unknown,
): Explanation {
  const hasQuery = exportRow.hogql_query !== null
  try {
    return explainError(error, explainedAt(openDestination(exportRow, services.secrets), hasQuery))
  } catch (unreadable) {
    // The secrets are unknown here, so only this error is safe to show.
    return explainError(unreadable, { secrets: [], hasQuery })
  }
}
