import { uuid } from '../../format/search-params.ts'

/** Reads the search parameter that limits a list to what is assigned to the user (`me`), to nobody (`none`) or to a member. */
export function assigneeParam(value: unknown): string | undefined {
  return value === 'me' || value === 'none' ? value : uuid(value)
}

/** Says that nothing matches such a filter; `what` names what is listed, in the plural. */
export function nothingAssigned(assignee: string, what: string): string {
  if (assignee === 'me') return `No ${what} are assigned to you`
  return assignee === 'none' ? `All ${what} are assigned` : `No ${what} are assigned to this member`
}
