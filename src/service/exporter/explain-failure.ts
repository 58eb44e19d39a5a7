import { openDestination, secretsOf } from '../destinations/destination-config.ts'
import { explainError, type Explanation } from '../destinations/explain-error.ts'
import { endpointUrl } from '../destinations/s3-location.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'

/** Explains a failure of `exportRun`. */
export function explainFailure(
  services: Pick<Services, 'secrets'>,
  exportRow: BatchExportRow,
  error: unknown,
): Explanation {
  const hasQuery = exportRow.hogql_query !== null
  if (exportRow.destination_type === 'File') return explainError(error, { secrets: [], hasQuery })
  try {
    const destination = openDestination(exportRow, services.secrets)
    if (destination.type === 'File') return explainError(error, { secrets: [], hasQuery })
    return explainError(error, {
      secrets: secretsOf(destination),
      hasQuery,
      bucket: destination.config.bucket_name,
      endpoint: endpointUrl(destination.config),
    })
  } catch (unreadable) {
    // The secrets are unknown here, so only this error is safe to show.
    return explainError(unreadable, { secrets: [], hasQuery })
  }
}
