import type { Caller } from '../../auth/caller.ts'

/** Who did it, for a line of an export's log. */
export function byKey(caller: Caller): string {
  return `by key '${caller.key.label}'`
}
