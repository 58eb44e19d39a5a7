import type { triageShape } from '../../contract/triage.ts'
import { formatInstant } from '../../contract/instant.ts'
import type { ResponseOf } from '../../contract/endpoints.ts'
import type { ErrorState } from '../../contract/recordings/error-cluster.ts'
import type { Caller } from '../auth/caller.ts'
import { invalidInput } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { uniqueNames } from '../store/accounts/members.ts'
import type { Project } from '../store/accounts/projects.ts'
import { audit } from '../store/audit/audit-entries.ts'
import { inTransaction } from '../store/schema/database.ts'
import { updateRows } from '../store/schema/rows.ts'
import type { TriageKind } from '../store/schema/triage-tables.ts'
import {
  assignableMembers,
  lockAssignable,
  lockTriage,
  triageOf,
  type TriageRow,
} from '../store/triage/triage.ts'
import { changedValues, entryBy } from './audit/audit-call.ts'

type Request = { services: Services; caller: Caller; project: Project }
type Change = {
  assignee?: string | null | undefined
  state?: ErrorState | undefined
  ignoredUntil?: Date | undefined
}
type Shown = { [Key in keyof typeof triageShape]: (typeof triageShape)[Key]['_output'] }

/** What is changed: the name, where it contains no person, and the state as the API shows it. */
type Items = {
  names: ReadonlyMap<string, string | null>
  stateOf: (row: TriageRow) => ErrorState
}

/**
 * Changes who works on errors or problems and their state; the last change counts. Each that differs then has an entry in the
 * audit log. Returns the rows after the change.
 * @throws ApiError 400 for someone who cannot read the kind in the project
 */
export function changeTriage(request: Request, kind: TriageKind, items: Items, change: Change) {
  const { services, caller, project } = request
  const keys = [...items.names.keys()]
  const at = new Date(services.clock.now())
  const assignee = change.assignee === 'me' ? userOf(caller) : change.assignee
  const { state, ignoredUntil = null } = change
  return inTransaction(services.store, async (store) => {
    if (assignee && !(await lockAssignable(store, project, kind, assignee)))
      throw invalidInput(
        `This member cannot see the ${kind}s of this project: choose one from the list of assignees.`,
        ['assignee'],
      )
    await lockTriage(store, project, kind, keys)
    const before = await triageOf(store, project, kind, keys)
    await updateRows(
      store,
      'triage',
      { project_id: project.id, kind, key: keys },
      {
        ...(assignee !== undefined && { assignee, assigned_by: caller.name, assigned_at: at }),
        ...(state && { state, state_by: caller.name, state_at: at, ignored_until: ignoredUntil }),
      },
    )
    const rows = [...(await triageOf(store, project, kind, keys)).values()]
    for (const row of rows) {
      const values = (one: TriageRow | undefined) => one && auditedValues(one, items)
      const changed = changedValues(values(before.get(row.key)) ?? {}, values(row) ?? {})
      if (Object.keys(changed.after ?? {}).length === 0) continue
      const object = { id: row.key, name: items.names.get(row.key) ?? null }
      await audit(store, { ...entryBy(request, `${kind}.changed`, object), ...changed })
    }
    return rows
  })
}

function auditedValues(row: TriageRow, { stateOf }: Items) {
  const { member, ignored_until: until } = row
  const assignee = member && (member.name === member.email ? member.name : `${member.name} <${member.email}>`)
  return { assignee, state: stateOf(row), ...(until && { ignored_until: formatInstant(until) }) }
}

/** Returns who works on an error or a problem, and its last changes. */
export function showTriage(row: TriageRow | undefined): Shown {
  const { member = null, assigned_by, assigned_at, state_by, state_at } = row ?? {}
  return {
    assignee: member && { uuid: member.uuid, name: member.name },
    assigned: assigned_at ? { by: assigned_by ?? '', at: formatInstant(assigned_at) } : null,
    changed: state_at ? { by: state_by ?? '', at: formatInstant(state_at) } : null,
  }
}

/** Lists the members to whom a kind can be assigned; equal names are told apart by the address. */
export async function showAssignees(
  { services, project }: Request,
  kind: TriageKind,
): Promise<ResponseOf<'errorAssignees'>> {
  const members = await assignableMembers(services.store, project, kind)
  return uniqueNames(members).map(({ uuid, name }) => ({ uuid, name }))
}

/** Returns a function that says whether a row, or undefined for something untouched, matches a filter; null: all match. */
export function assigneeTest(caller: Caller, filter: string | undefined) {
  if (filter === undefined) return null
  if (filter === 'none') return (row: TriageRow | undefined) => !row?.member
  const user = filter === 'me' ? userOf(caller) : filter
  return (row: TriageRow | undefined) => row?.member?.uuid === user
}

export function isMine({ role, userId }: Caller, row: TriageRow | undefined): boolean {
  return role !== null && row?.member?.uuid === userId
}

function userOf({ role, userId }: Caller): string {
  if (role !== null) return userId
  throw invalidInput("A key of the organization is nobody's: name a member by uuid instead of 'me'.", [
    'assignee',
  ])
}
