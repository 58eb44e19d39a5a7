import type { Loop } from '../start-loops.ts'
import { rowsOf, type Store } from '../store/schema/database.ts'

/** Work that people wait for: whether there is any. */
type WaitingWork = Record<'imports' | 'bulkActions' | 'summaries' | 'plans' | 'plansToCount', boolean>

/** Delay (ms) between looks. */
const lookDelayMs = 500
/** Age (ms) of an answer above which a loop asks again; loops that look at the same time share one. */
const sharedMs = 100
/** Time (ms) after which a loop works even if nothing waits, for what it does besides. */
const unaskedMs = 60_000

/**
 * Returns a function that lets a loop work only while there is work of its kind. All loops find that out with one statement twice
 * a second, where their own would take about ten times as many.
 */
export function openWaitingWork(store: Store): (kind: keyof WaitingWork, loop: Loop) => Loop {
  let asked = { at: -Infinity, answer: Promise.resolve<WaitingWork | undefined>(undefined) }
  const look = () => {
    const now = performance.now()
    if (now - asked.at > sharedMs) asked = { at: now, answer: waitingWork(store) }
    return asked.answer
  }
  return (kind, loop) => {
    let unaskedAt = 0
    return {
      ...loop,
      async work(signal) {
        const waits = (await look())?.[kind]
        if (!waits && performance.now() < unaskedAt) return lookDelayMs
        unaskedAt = performance.now() + unaskedMs
        return await loop.work(signal)
      },
    }
  }
}

/** Each condition is implied by that of the statement by which the loop takes its work. */
async function waitingWork(store: Store): Promise<WaitingWork | undefined> {
  const [found] = await rowsOf<WaitingWork>(store)`
    SELECT EXISTS (SELECT FROM event_imports WHERE finished_at IS NULL) AS imports,
      EXISTS (SELECT FROM bulk_actions WHERE status IN ('Running', 'Undoing')) AS "bulkActions",
      EXISTS (SELECT FROM group_summaries WHERE status = 'Running') AS summaries,
      EXISTS (SELECT FROM repair_plans WHERE status = 'Running') AS plans,
      EXISTS (SELECT FROM repair_plans WHERE NOT rows_counted) AS "plansToCount"`
  return found
}
