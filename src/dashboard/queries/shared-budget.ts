import type { Budget } from './look.ts'

const name = 'spool.live'

/** The budget of all tabs of this browser, changed by one of them at a time. */
export function changeBudget(change: (budget: Budget) => Budget | null): Promise<void> {
  const act = () => {
    const next = change(readBudget())
    if (next) localStorage.setItem(name, JSON.stringify(next))
  }
  // Without https, and not on localhost, there are no locks; two tabs may then ask in the same moment.
  return 'locks' in navigator ? navigator.locks.request(name, act) : Promise.resolve(act())
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
    // Whoever edited the storage by hand begins a new budget.
    return {}
  }
}
