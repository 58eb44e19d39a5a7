import { type Rights, roles, roleScopes, type Role } from '../../contract/accounts/roles.ts'
import { allowsScope, scopeReason } from '../../contract/accounts/scopes.ts'

export const roleLabels: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  analyst: 'Analyst',
}

/** What a role may do, as hints of a form. */
export const roleAbilities: Record<Role, string> = {
  owner: 'May do everything, including making owners and changing how members sign in.',
  admin: 'May do everything but make and change owners, and change how members sign in.',
  editor: 'Creates, changes and runs exports, and sees no recordings.',
  analyst: 'Sees exports, watches and shares recordings, and assigns, resolves and ignores their errors.',
}

/** Returns the roles that someone with these scopes can give, which are those with no further rights. */
export function givableRoles(own: readonly string[]): Role[] {
  return roles.filter((role) => covers(own, role))
}

function covers(own: readonly string[], role: Role): boolean {
  return roleScopes[role].every((scope) => (scope === '*' ? own.includes('*') : allowsScope(own, scope)))
}

/** Returns the rights with another role, also in the projects to which they are limited; an owner has no limits. */
export function withRole({ project_roles: limits }: Rights, role: Role): Rights {
  if (limits === null || role === 'owner') return { role, project_roles: null }
  return { role, project_roles: Object.fromEntries(Object.keys(limits).map((id) => [id, role])) }
}

/** Returns why someone with these scopes cannot invite or change members; null if they can. */
export function manageReason(own: readonly string[]): string | null {
  return scopeReason(own, 'organization_member:write')
}

/** Returns why someone with these scopes cannot change a member; null if they can. `members` are all of the organization. */
export function changeReason(
  own: readonly string[],
  member: Rights & { id: string },
  members: readonly (Rights & { id: string })[],
): string | null {
  const reason = manageReason(own)
  if (reason !== null) return reason
  if (!covers(own, member.role))
    return member.role === 'owner'
      ? 'Only an owner can change or remove an owner.'
      : 'You can only change members with rights that you have yourself.'
  return lastOwnerReason(member, members)
}

/** Returns why a member must stay an owner; null if they need not. `members` are all of the organization. */
export function lastOwnerReason(
  member: Rights & { id: string },
  members: readonly (Rights & { id: string })[],
): string | null {
  const otherOwner = members.some(
    ({ id, role, project_roles }) => id !== member.id && role === 'owner' && project_roles === null,
  )
  if (member.role !== 'owner' || otherOwner) return null
  return 'This is the last owner of the organization. Make another member an owner first.'
}

/** Lists the projects to which a member is limited, with the role in each where it is not the member's own. */
export function projectsInWords(
  { role, project_roles }: Rights,
  projects: readonly { id: number; name: string }[],
): string {
  if (project_roles === null) return 'all'
  const nameOf = (id: string) =>
    projects.find((project) => String(project.id) === id)?.name ?? `project ${id}`
  return Object.entries(project_roles)
    .map(([id, own]) => (own === role ? nameOf(id) : `${nameOf(id)} (${roleLabels[own].toLowerCase()})`))
    .join(', ')
}
