import { undoMs, type BulkActionName } from '../../contract/bulk-action.ts'
import { downEngine, EngineDown, isDiskFull } from '../problems/down-engine.ts'
import { removeHidden } from '../recordings/delete-recordings.ts'
import type { Services } from '../services.ts'
import type { Loop } from '../start-loops.ts'
import {
  deleteBulkActionsBefore,
  failRemaining,
  lockBulkAction,
  nextItems,
  writeResults,
  type BulkActionRow,
} from '../store/runs/bulk-actions.ts'
import { actAs, type Actor } from '../store/audit/acting.ts'
import { inTransaction, type StoreTransaction } from '../store/schema/database.ts'
import { updateRows } from '../store/schema/rows.ts'
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
/** Failures in succession after which the remaining objects of an action fail: about four minutes after the first. */
const failuresMax = 8
/** Delay before the next turn of an action that failed; each failure doubles it. */
const retryDelayMsMin = 1000
const retryDelayMsMax = 60_000
const gaveUpReason = `Gave up after ${failuresMax} server errors.`

/** Performs bulk actions in the background. */
export function bulkActionLoop(services: Services): Loop {
  const failing: FailingActions = new Map()
  return {
    problem: 'failed to continue a bulk action',
    work: async () => ((await continueBulkAction(services, failing)) ? 0 : pollDelayMs),
  }
}

/** Removes what the undo of bulk actions can no longer restore. */
export function removalLoop(services: Services): Loop {
  return {
    problem: 'failed to remove deleted recordings',
    async work() {
      if ((await removeHidden(services)) > 0) return 0
      await deleteBulkActionsBefore(services.store, new Date(services.clock.now() - listedMs))
      return cleanDelayMs
    },
  }
}

/** Actions whose last turns failed, by id. */
type FailingActions = Map<string, { status: BulkActionRow['status']; failures: number; retryAt: number }>

/**
 * Processes the next objects of the oldest bulk action that no other process works on. Resolves to whether there was one.
 * Changes and results commit in one transaction that locks the action: after a crash, another call continues with the
 * remaining objects, and none is processed twice. An action that fails waits in `failing` while others have their turn; after
 * `failuresMax` failures, its remaining objects fail.
 */
export async function continueBulkAction(services: Services, failing: FailingActions = new Map()) {
  const now = services.clock.now()
  const waiting = [...failing].flatMap(([id, { retryAt }]) => (retryAt > now ? [id] : []))
  const taken: { action?: BulkActionRow | undefined } = {}
  try {
    await inTransaction(services.store, async (transaction) => {
      taken.action = await lockBulkAction(transaction, waiting)
      if (taken.action) await takeTurn(services, transaction, taken.action, failuresOf(failing, taken.action))
    })
    if (taken.action) failing.delete(taken.action.id)
    return taken.action !== undefined
  } catch (error) {
    const { action } = taken
    if (!action) throw error
    // PostgreSQL has answered: if it seems to be down since, a statement of the action may have taken too long.
    const failures = failuresOf(failing, action) + (error instanceof EngineDown || isDiskFull(error) ? 0 : 1)
    const delay = Math.min(retryDelayMsMin * 2 ** failures, retryDelayMsMax)
    failing.set(action.id, { status: action.status, failures, retryAt: services.clock.now() + delay })
    if (downEngine(error) !== null) throw error
    services.logger.error({ err: error, action: action.id }, 'failed to perform a bulk action')
    return true
  }
}

function failuresOf(failing: FailingActions, { id, status }: BulkActionRow): number {
  const known = failing.get(id)
  return known?.status === status ? known.failures : 0
}

/** Returns who started an action, for the audit log. */
function actorOf({ actor: name, by_person, user_id }: BulkActionRow): Actor {
  return by_person ? { kind: 'person', id: user_id, name } : { kind: 'key', id: null, name }
}

async function takeTurn(
  services: Services,
  transaction: StoreTransaction,
  action: BulkActionRow,
  failures: number,
): Promise<void> {
  const { batchMax, perform, undo } = itemActions[action.action]
  const items = await nextItems(transaction, action, batchMax)
  if (items.length === 0) await end(services, transaction, action)
  else if (failures >= failuresMax) await failRemaining(transaction, action, gaveUpReason)
  else {
    const work = {
      services: { ...services, store: transaction },
      action,
      actor: { name: action.actor, isPerson: action.by_person },
    }
    const acting = { actor: actorOf(action), address: null, requestId: null }
    const results = await actAs(acting, () => (action.status === 'Undoing' ? undo : perform)(work, items))
    await writeResults(transaction, action.id, results)
  }
}

async function end(services: Services, transaction: StoreTransaction, action: BulkActionRow): Promise<void> {
  const now = services.clock.now()
  const isUndo = action.status === 'Undoing'
  const undo_until = isUndo || action.done === action.unchanged ? null : new Date(now + undoMs)
  const change = { status: isUndo ? ('Undone' as const) : ('Completed' as const), undo_until }
  await updateRows(transaction, 'bulk_actions', { id: action.id }, { ...change, finished_at: new Date(now) })
}
