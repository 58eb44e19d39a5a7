import { undoMs, type BulkActionName } from '../../contract/bulk-action.ts'
import { repeat, type Background } from '../jobs/background.ts'
import { removeHidden } from '../recordings/delete-recordings.ts'
import type { Services } from '../services.ts'
import {
  deleteBulkActionsBefore,
  endBulkAction,
  lockBulkAction,
  nextItems,
  writeResults,
  type BulkActionRow,
} from '../store/bulk-actions.ts'
import { inTransaction, type StoreTransaction } from '../store/database.ts'
import { actionsOnExports } from './export-actions.ts'
import type { ItemAction } from './item-action.ts'
import { actionsOnRecordings } from './recording-actions.ts'
import { actionsOnRuns } from './run-actions.ts'

const itemActions: Record<BulkActionName, ItemAction> = {
  ...actionsOnExports,
  ...actionsOnRuns,
  ...actionsOnRecordings,
}

const pollDelayMs = 500
const cleanDelayMs = 10_000
/** Time (ms) for which bulk actions are listed. */
const listedMs = 30 * 86_400_000

/** Performs bulk actions in the background, and removes what their undo can no longer restore. */
export function startBulkActions(services: Services): Background {
  if (!services.config.roles.includes('work')) return { stop: () => Promise.resolve() }
  const work = repeat(services, 'a bulk action could not be continued', async () =>
    (await continueBulkAction(services)) ? 0 : pollDelayMs,
  )
  const clean = repeat(services, 'deleted recordings could not be removed', async () => {
    if ((await removeHidden(services)) > 0) return 0
    await deleteBulkActionsBefore(services.store, new Date(services.clock.now() - listedMs))
    return cleanDelayMs
  })
  return {
    async stop() {
      await Promise.all([work.stop(), clean.stop()])
    },
  }
}

/**
 * Processes the next objects of the oldest bulk action that no other process works on. Resolves to whether there was one.
 * Changes and results commit in one transaction that locks the action: after a crash, another call continues with the
 * remaining objects, and none is processed twice.
 */
export async function continueBulkAction(services: Services): Promise<boolean> {
  return await inTransaction(services.store, async (transaction) => {
    const action = await lockBulkAction(transaction)
    if (!action) return false
    const { batchMax, perform, undo } = itemActions[action.action]
    const items = await nextItems(transaction, action, batchMax)
    if (items.length === 0) await end(services, transaction, action)
    else {
      const work = {
        services: { ...services, store: transaction },
        action,
        actor: { key: { label: action.actor } },
      }
      await writeResults(
        transaction,
        action.id,
        await (action.status === 'Undoing' ? undo : perform)(work, items),
      )
    }
    return true
  })
}

async function end(services: Services, transaction: StoreTransaction, action: BulkActionRow): Promise<void> {
  const now = services.clock.now()
  const isUndo = action.status === 'Undoing'
  await endBulkAction(transaction, action.id, {
    status: isUndo ? 'Undone' : 'Completed',
    finished_at: new Date(now),
    undo_until: isUndo || action.done === action.unchanged ? null : new Date(now + undoMs),
  })
}
