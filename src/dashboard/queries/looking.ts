import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query'
import { connection } from '../api/connection.ts'
import { ApiProblem, isStatus } from '../api/problem.ts'
import { nextLook, spend, type Candidate } from './look.ts'
import { changeBudget, readBudget } from './shared-budget.ts'

/** A longer wait than this is not believed. */
const longestWaitMs = 10 * 60_000

/** Looks again at the live queries on the page, within the budget of all tabs; stands still while the tab is hidden or offline. */
export function startLooking(client: QueryClient): void {
  const failures = new WeakMap<Query, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let planning = false

  const candidates = () =>
    client
      .getQueryCache()
      .getAll()
      .flatMap((query) => candidateOf(query, failures.get(query) ?? 0))

  const plan = () => {
    planning = false
    clearTimeout(timer)
    if (document.visibilityState === 'hidden' || connection.state.get() !== 'up') return
    const now = Date.now()
    const look = nextLook(candidates(), readBudget(), now)
    if (look) timer = setTimeout(() => void attempt(), Math.max(0, look.at - now))
  }
  const planSoon = () => {
    if (planning) return
    planning = true
    queueMicrotask(plan)
  }

  const attempt = async () => {
    let id: string | null = null
    await changeBudget((budget) => {
      const now = Date.now()
      const all = candidates()
      const look = nextLook(all, budget, now)
      if (!look || look.at > now || document.visibilityState === 'hidden') return null
      id = look.id
      return spend(all, budget, now)
    })
    const query = id === null ? undefined : client.getQueryCache().get(id)
    if (query)
      await client.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    else planSoon()
  }

  const hear = (event: QueryCacheNotifyEvent) => {
    if (event.type === 'updated') {
      if (event.action.type === 'success') failures.set(event.query, 0)
      if (event.action.type === 'error') {
        failures.set(event.query, (failures.get(event.query) ?? 0) + 1)
        void waitAsAsked(event.action.error)
      }
    }
    planSoon()
  }
  client.getQueryCache().subscribe(hear)
  connection.state.subscribe(planSoon)
  document.addEventListener('visibilitychange', planSoon)
}

function candidateOf(query: Query, failures: number): Candidate[] {
  const { data, dataUpdatedAt, error, errorUpdatedAt, fetchStatus } = query.state
  const pace = data === undefined ? 'resting' : query.meta?.live?.(data)
  if (!query.meta?.live || pace === undefined || pace === 'settled') return []
  if (fetchStatus !== 'idle' || !query.isActive() || isRefused(error)) return []
  return [{ id: query.queryHash, pace, lookedAt: Math.max(dataUpdatedAt, errorUpdatedAt), failures }]
}

/** The same request would be refused again: no key, no permission, or nothing there. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.status < 500 && error.status !== 429
}

async function waitAsAsked(error: unknown): Promise<void> {
  if (!isStatus(error, 429) || error.retryAfterMs === null) return
  const notBefore = Date.now() + Math.min(error.retryAfterMs, longestWaitMs)
  await changeBudget((budget) => ({ ...budget, notBefore: Math.max(budget.notBefore, notBefore) }))
}
