import type { Caller } from '../auth/caller.ts'
import type { NewChange } from '../store/runs/changes-list.ts'

/** Who acted: the request's key, or the one that started the bulk action; and from where. */
export type Actor = { key: Pick<Caller['key'], 'label'> } & Pick<NewChange, 'source' | 'reverts'>

/** Names the key that performed an action, for an export's log. */
export function byKey({ key, source, reverts }: Actor): string {
  const origin = source === undefined ? '' : ` from ${source}`
  return `by key '${key.label}'${origin}${reverts === undefined ? '' : ', reverting an earlier change'}`
}

/** Returns the author of a change as the history stores it. */
export function authorOf({ key, source, reverts }: Actor): Pick<NewChange, 'actor' | 'source' | 'reverts'> {
  return { actor: key.label, source, reverts }
}
