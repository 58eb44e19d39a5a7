import { ApiError } from '../problems/api-error.ts'
import { downEngine } from '../problems/down-engine.ts'
import type { BulkItem, ItemResult } from '../store/runs/bulk-actions.ts'
import { withSavepoint } from '../store/schema/savepoint.ts'
import { changedSince, type ItemAction, type Replaced, type Work } from './item-action.ts'

type EachItem = {
  batchMax: number
  /** @throws ApiError with the reason if the object cannot be changed. */
  perform: (work: Work, id: string) => Promise<Replaced>
  /** Returns false if the object has been changed since. */
  undo: (work: Work, id: string, replaced: unknown) => Promise<boolean>
}

/** Returns an action that processes objects one by one; if one fails, the others are still processed. */
export function eachItem({ batchMax, perform, undo }: EachItem): ItemAction {
  return {
    batchMax,
    perform: (work, items) =>
      attemptAll(work, items, 'Failed', async ({ number, object_id: id }) => {
        const replaced = await perform(work, id)
        return { number, status: replaced ? 'Done' : 'Unchanged', reason: null, undo: replaced }
      }),
    undo: (work, items) =>
      attemptAll(work, items, 'NotUndone', async ({ number, object_id: id, undo: replaced }) =>
        (await undo(work, id, replaced))
          ? { number, status: 'Undone', reason: null, undo: null }
          : { number, status: 'NotUndone', reason: changedSince, undo: null },
      ),
  }
}

async function attemptAll(
  { services }: Work,
  items: readonly BulkItem[],
  failed: 'Failed' | 'NotUndone',
  attempt: (item: BulkItem) => Promise<ItemResult>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = []
  for (const item of items) {
    try {
      results.push(await withSavepoint(services.store, () => attempt(item)))
    } catch (error) {
      if (isTransient(error)) throw error
      if (!(error instanceof ApiError))
        services.logger.error(
          { err: error, object: item.object_id },
          'failed to change an object of a bulk action',
        )
      const reason = error instanceof ApiError ? error.message : 'A server error occurred.'
      results.push({ number: item.number, status: failed, reason, undo: null })
    }
  }
  return results
}

/** Classes 40 (deadlock) and 53 to 58 (resources, limits, shutdown): the same statement may succeed later. */
const transientCodes = /^(?:40|53|54|55|57|58)/

/** Whether the whole batch should be repeated later, because the object did not cause the failure. */
function isTransient(error: unknown): boolean {
  if (downEngine(error) !== null) return true
  return error instanceof Error && 'code' in error && transientCodes.test(String(error.code))
}
