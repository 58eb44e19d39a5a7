import type { QueryClient } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { secretFields } from '../../../contract/destination.ts'
import { batchExportQuery } from '../../queries/batch-exports.ts'
import { toast } from '../../ui/feedback/toasts.ts'
import { exportAsCurl } from './export-as-curl.ts'

/** Copies the command that creates the same export; whether the browser let it. */
export async function copyExport(batchExport: BatchExport): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(exportAsCurl(batchExport))
  } catch {
    return false
  }
  toast(`Copied. ${copyNeeds(batchExport)}`)
  return true
}

/** An export with all its settings. */
export function fetchExport(client: QueryClient, projectId: string, id: string): Promise<BatchExport> {
  return client.fetchQuery(batchExportQuery(projectId, id))
}

/** What is left to do before the command runs. */
export function copyNeeds({ destination }: BatchExport): string {
  return secretFields[destination.type].length > 0
    ? 'Set SPOOL_API_KEY and fill in the secrets, which stand as <…>.'
    : 'Set SPOOL_API_KEY before you run it.'
}
