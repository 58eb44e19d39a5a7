import type { Caller } from '../../auth/caller.ts'

/** Names the key that performed an action, for an export's log. */
export function byKey(caller: Caller): string {
  return `by key '${caller.key.label}'`
}
