import type { ColumnType, Generated } from 'kysely'
import type { BulkActionName, BulkActionStatus } from '../../../contract/bulk-action.ts'
import type { BulkActionInput } from '../../../contract/bulk-action-input.ts'

export type BulkActionsTable = {
  id: string
  project_id: number
  action: BulkActionName
  options: ColumnType<BulkActionOptions, string, never>
  actor: string
  by_person: Generated<boolean>
  user_id: string
  status: BulkActionStatus
  total: number
  done: Generated<number>
  unchanged: Generated<number>
  failed: Generated<number>
  undone: Generated<number>
  not_undone: Generated<number>
  created_at: Date
  finished_at: Date | null
  undo_until: Date | null
}

/** Fields of the request that apply to every object of a bulk action. */
export type BulkActionOptions = Partial<
  Pick<Extract<BulkActionInput, { action: 'pause_batch_exports' }>, 'reason' | 'until'> &
    Pick<Extract<BulkActionInput, { action: 'unpause_batch_exports' }>, 'backfill'> &
    Pick<Extract<BulkActionInput, { action: 'export_windows' }>, 'windows'>
>

export type BulkItemsTable = {
  bulk_action_id: string
  number: number
  object_id: string
  name: string
  /** Distinct id of a recording whose visitor has no name; the recording's name is derived from it. */
  visitor: string | null
  status: 'Pending' | 'Done' | 'Unchanged' | 'Failed' | 'Undone' | 'NotUndone'
  reason: string | null
  undo: unknown
}

export type BulkTables = {
  bulk_actions: BulkActionsTable
  bulk_action_items: BulkItemsTable
}
