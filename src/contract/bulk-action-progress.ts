import type { BulkActionStatus } from './bulk-action.ts'

export function isBulkActionInProgress(status: BulkActionStatus): boolean {
  return status === 'Running' || status === 'Undoing'
}
