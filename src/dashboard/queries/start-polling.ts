import type { Query, QueryClient } from '@tanstack/react-query'
import { connection } from '../api/connection.ts'
import { ApiProblem, isStatus } from '../api/problem.ts'
import { readStored } from '../format/stored.ts'
import { nextPoll, spend, type Budget, type Candidate } from './poll-schedule.ts'

const budgetKey = 'spool.live'
/** Longest wait (ms) accepted from the service. */
const waitMsMax = 10 * 60_000

/** Polls the live queries on the page, within the budget of all tabs; stops while the tab is hidden or offline. */
export function startPolling(client: QueryClient): void {
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
    const poll = nextPoll(candidates(), readBudget(), now)
    if (poll) timer = setTimeout(() => void pollIfDue(), Math.max(0, poll.at - now))
  }
  const planSoon = () => {
    if (!planning) queueMicrotask(plan)
    planning = true
  }

  const pollIfDue = async () => {
    let id: string | null = null
    await changeBudget((budget) => {
      const now = Date.now()
      const all = candidates()
      const poll = nextPoll(all, budget, now)
      if (!poll || poll.at > now || document.visibilityState === 'hidden') return null
      id = poll.id
      return spend(all, budget, now)
    })
    const query = id === null ? undefined : client.getQueryCache().get(id)
    if (query)
      await client.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    else planSoon()
  }

  client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') failures.set(event.query, 0)
    if (event.type === 'updated' && event.action.type === 'error') {
      failures.set(event.query, (failures.get(event.query) ?? 0) + 1)
      void waitAsRequested(event.action.error)
    }
    planSoon()
  })
  connection.state.subscribe(planSoon)
  document.addEventListener('visibilitychange', planSoon)
}

function candidateOf(query: Query, failures: number): Candidate[] {
  const { data, dataUpdatedAt, error, errorUpdatedAt, fetchStatus } = query.state
  const pace = data === undefined ? 'resting' : query.meta?.live?.(data)
  if (!query.meta?.live || pace === undefined || pace === 'settled') return []
  if (fetchStatus !== 'idle' || !query.isActive() || isRefused(error)) return []
  return [{ id: query.queryHash, pace, polledAt: Math.max(dataUpdatedAt, errorUpdatedAt), failures }]
}

/** Whether the same request would be refused again: no key, no permission, or not found. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.status < 500 && error.status !== 429
}

async function waitAsRequested(error: unknown): Promise<void> {
  if (!isStatus(error, 429) || error.retryAfterMs === null) return
  const notBefore = Date.now() + Math.min(error.retryAfterMs, waitMsMax)
  await changeBudget((budget) => ({ ...budget, notBefore: Math.max(budget.notBefore, notBefore) }))
}

/** Changes the budget shared by all tabs of this browser, one tab at a time; null leaves it unchanged. */
function changeBudget(change: (budget: Budget) => Budget | null): Promise<void> {
  const update = () => {
    const next = change(readBudget())
    if (next) localStorage.setItem(budgetKey, JSON.stringify(next))
  }
  // Locks need https or localhost; without them, two tabs may poll at the same moment.
  return 'locks' in navigator ? navigator.locks.request(budgetKey, update) : Promise.resolve(update())
}

function readBudget(): Budget {
  const stored = readStored(budgetKey)
  const time = (key: keyof Budget) => (Number.isFinite(stored[key]) ? Number(stored[key]) : 0)
  return { lastAt: time('lastAt'), runningUntil: time('runningUntil'), notBefore: time('notBefore') }
}
