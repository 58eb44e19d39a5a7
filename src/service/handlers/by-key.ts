import type { Caller } from '../auth/caller.ts'
import type { NewChange } from '../store/runs/changes-list.ts'

/** Who acted: the request's caller, or the one that started the bulk action; and from where. */
export type Actor = Pick<Caller, 'name' | 'isPerson'> & Pick<NewChange, 'source' | 'reverts'>

/** Names the person or key that performed an action, for an export's log. */
export function byKey({ name, isPerson, source, reverts }: Actor): string {
  const origin = source === undefined ? '' : ` from ${source}`
  return `by ${isPerson ? name : `key '${name}'`}${origin}${reverts === undefined ? '' : ', reverting an earlier change'}`
}

/** Returns the author of a change as the history stores it. */
export function authorOf({ name, source, reverts }: Actor): Pick<NewChange, 'actor' | 'source' | 'reverts'> {
  return { actor: name, source, reverts }
}
