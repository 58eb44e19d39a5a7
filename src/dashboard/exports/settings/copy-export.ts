import type { QueryClient } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { secretFields } from '../../../contract/destination.ts'
import { batchExportQuery } from '../../queries/batch-exports.ts'
import { toast } from '../../ui/feedback/toasts.ts'
import { exportAsCurl } from './export-as-curl.ts'

/** Copies the curl command that creates the same export. Returns whether the browser allowed it. */
export async function copyExport(batchExport: BatchExport): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(exportAsCurl(batchExport))
  } catch {
    return false
  }
  toast(`Copied. ${copyNeeds(batchExport)}`)
  return true
}

/** Fetches an export with all its settings. */
export function fetchExport(client: QueryClient, projectId: string, id: string): Promise<BatchExport> {
  return client.fetchQuery(batchExportQuery(projectId, id))
}

/** Says what to do before running the command. */
export function copyNeeds({ destination }: BatchExport): string {
  return secretFields[destination.type].length > 0
    ? 'Set SPOOL_API_KEY, and replace each <…> with a secret.'
    : 'Set SPOOL_API_KEY before running it.'
}
