import { vi } from 'vitest'
import { rowsOf, type Store, type StoreTransaction } from '../../store/schema/database.ts'

const waiting = { timeout: 20_000 }

/** Makes a request while a transaction changes what it reads: the change is committed once the request waits for it, or has ended. */
export async function duringChange<Result>(
  store: Store,
  change: (transaction: StoreTransaction) => Promise<unknown>,
  request: () => Promise<Result>,
): Promise<Result> {
  const { answer } = await store.transaction().execute(async (transaction) => {
    await change(transaction)
    let hasEnded = false
    const answer = request().finally(() => {
      hasEnded = true
    })
    await vi.waitFor(async () => {
      if (!hasEnded && !(await isWaiting(store))) throw new Error('the request does not wait yet')
    }, waiting)
    return { answer }
  })
  return answer
}

async function isWaiting(store: Store): Promise<boolean> {
  const rows = await rowsOf(store)`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return rows.length > 0
}
