import { remember } from './remember.ts'

/** Values that a process caches for each owner; the oldest is dropped first. */
const valuesMax = 1000

type Cached = { at: number; value: Promise<unknown> }
const caches = new WeakMap<object, Map<string, Cached>>()

/**
 * Returns the value that `read` returned less than `freshMs` ago, so that many open pages cost as much as one; else reads again.
 * `owner` is what is read, such as the store; a failure is not cached.
 */
export function cached<Value>(
  owner: object,
  key: string,
  { now, freshMs }: { now: number; freshMs: number },
  read: () => Promise<Value>,
): Promise<Value> {
  const known = caches.get(owner) ?? new Map<string, Cached>()
  caches.set(owner, known)
  const before = known.get(key)
  if (before && now >= before.at && now - before.at < freshMs) return before.value as Promise<Value>
  const value = read()
  remember(known, key, { at: now, value }, valuesMax)
  value.catch(() => known.delete(key))
  return value
}
