import { roleScopes, type Rights } from '../../contract/accounts/roles.ts'
import { conflict, invalidInput, permissionDenied, unknownId } from '../problems/api-error.ts'
import type { Project } from '../store/accounts/projects.ts'
import type { Member } from '../store/accounts/users.ts'
import type { Caller } from './caller.ts'
import { lackingScopes } from './grant.ts'

/** @throws ApiError 403 for a key limited to projects; a member limited to projects lacks the scopes. */
export function assertWholeOrganization({ scoped_projects }: Caller): void {
  if (scoped_projects === null) return
  throw permissionDenied('Members belong to the whole organization: a key limited to projects has no access.')
}

const ownersOnly = {
  give: "Only an owner can make someone an owner; a key needs the scope '*' for that.",
  change: "Only an owner can change or remove an owner; a key needs the scope '*' for that.",
}

/**
 * Checks that the caller has all rights of a role that it gives, or that a member has whom it changes.
 * @throws ApiError 403
 */
export function assertCoversRole(caller: Caller, given: Rights, action: keyof typeof ownersOnly): void {
  assertWholeOrganization(caller)
  for (const role of new Set([given.role, ...Object.values(given.project_roles ?? {})])) {
    const [lacking] = lackingScopes(caller.scopes, roleScopes[role])
    if (lacking === undefined) continue
    if (role === 'owner') throw permissionDenied(ownersOnly[action])
    const verb = action === 'give' ? 'give' : 'change members with'
    throw permissionDenied(
      `You can only ${verb} rights that you have yourself: the role ${role} includes '${lacking}'.`,
    )
  }
}

/** @throws ApiError 400 if a role names a project that the organization does not have, or limits an owner */
export function assertValidRole({ role, project_roles }: Rights, projects: readonly Project[]): void {
  if (project_roles === null) return
  if (role === 'owner')
    throw invalidInput('An owner works in all projects: choose another role to limit someone to projects.', [
      'project_roles',
    ])
  const unknown = Object.keys(project_roles).find(
    (id) => !projects.some((project) => String(project.id) === id),
  )
  if (unknown !== undefined) throw unknownId(unknown, ['project_roles', unknown])
}

/**
 * Checks that an organization has an owner after a change of a member; null: after they have left.
 * @throws ApiError 409
 */
export function assertOwnerRemains(
  members: readonly Member[],
  changedId: string,
  after: Rights | null,
): void {
  const isOwner = (given: Rights | null) => given?.role === 'owner' && given.project_roles === null
  if (members.some((member) => isOwner(member.user_id === changedId ? after : member))) return
  throw conflict('This is the last owner of the organization. Make another member an owner first.')
}

/**
 * Checks that the caller's own role has not changed since the request was authenticated; `members` are locked.
 * @throws ApiError 403
 */
export function assertSameRole(caller: Caller, members: readonly Member[]): void {
  if (caller.role === null) return
  const own = members.find(({ user_id }) => user_id === caller.userId)
  if (own?.role === caller.role && own.project_roles === null) return
  throw permissionDenied('Your own role has just changed. Reload the page.')
}
