import type { Caller } from '../../auth/caller.ts'

/** The API key that performs an action: that of the request, or the one that started the bulk action. */
export type Actor = { key: Pick<Caller['key'], 'label'> }

/** Names the key that performed an action, for an export's log. */
export function byKey(caller: Actor): string {
  return `by key '${caller.key.label}'`
}
