import type { Budget } from './poll-schedule.ts'

const name = 'spool.live'

/** Changes the budget shared by all tabs of this browser, one tab at a time; null leaves it unchanged. */
export function changeBudget(change: (budget: Budget) => Budget | null): Promise<void> {
  const update = () => {
    const next = change(readBudget())
    if (next) localStorage.setItem(name, JSON.stringify(next))
  }
  // Locks need https or localhost; without them, two tabs may poll at the same moment.
  return 'locks' in navigator ? navigator.locks.request(name, update) : Promise.resolve(update())
}

export function readBudget(): Budget {
  const stored = parse(localStorage.getItem(name))
  const time = (key: keyof Budget) => (Number.isFinite(stored[key]) ? Number(stored[key]) : 0)
  return { lastAt: time('lastAt'), runningUntil: time('runningUntil'), notBefore: time('notBefore') }
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // An unreadable value starts a new budget.
    return {}
  }
}
