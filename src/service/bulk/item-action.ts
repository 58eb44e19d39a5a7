import type { Actor } from '../handlers/by-key.ts'
import type { Services } from '../services.ts'
import type { BulkActionRow, BulkItem, ItemResult } from '../store/runs/bulk-actions.ts'
import type { StoreTransaction } from '../store/schema/database.ts'

/** A bulk action in progress, and the transaction in which its next objects are processed. */
export type Work = {
  /** The services, with the transaction as their store. */
  services: Services & { store: StoreTransaction }
  action: BulkActionRow
  /** The key that started the action. */
  actor: Actor
}

/** Processes the next objects of an action. Results commit together with the changes. */
export type ItemAction = {
  /** Objects per transaction. */
  batchMax: number
  perform: (work: Work, items: readonly BulkItem[]) => Promise<ItemResult[]>
  /** Undoes the changes; each item's `undo` contains what `perform` replaced. */
  undo: (work: Work, items: readonly BulkItem[]) => Promise<ItemResult[]>
}

export const changedSince = 'Not undone: it has been changed again since.'

/** The values that an action replaced, for its undo; null if the action changed nothing. */
export type Replaced = Record<string, unknown> | null
