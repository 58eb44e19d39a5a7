/** Answers that a process remembers at most; the oldest is forgotten first. */
const answersMax = 1000

type Answer = { at: number; value: Promise<unknown> }
const answers = new WeakMap<object, Map<string, Answer>>()

/**
 * Returns the answer that `ask` gave less than `freshMs` ago, so that many open pages cost as much as one; else asks again.
 * `owner` is what is asked, such as the store; a failure is not remembered.
 */
export function remembered<Value>(
  owner: object,
  key: string,
  { now, freshMs }: { now: number; freshMs: number },
  ask: () => Promise<Value>,
): Promise<Value> {
  const known = answers.get(owner) ?? new Map<string, Answer>()
  answers.set(owner, known)
  const before = known.get(key)
  if (before && now >= before.at && now - before.at < freshMs) return before.value as Promise<Value>
  const value = ask()
  known.delete(key)
  known.set(key, { at: now, value })
  const [oldest] = known.keys()
  if (known.size > answersMax && oldest !== undefined) known.delete(oldest)
  value.catch(() => known.delete(key))
  return value
}
