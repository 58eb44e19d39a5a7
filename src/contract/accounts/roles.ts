import { allowsScope, rolePrefix, scopes, type Scope } from './scopes.ts'

/** Roles of members, the most powerful first. */
export const roles = ['owner', 'admin', 'editor', 'analyst'] as const
export type Role = (typeof roles)[number]

/** Roles within a project: owners manage the whole organization. */
export const projectRoles = ['admin', 'editor', 'analyst'] as const satisfies readonly Role[]
export type ProjectRole = (typeof projectRoles)[number]

/** The role in each project to which a member is limited, by the project's id. */
export type ProjectRoles = Record<string, ProjectRole>

/** What a member or an invite may do: the role in all projects or, if `project_roles` is given, one in each of those. */
export type Rights = { role: Role; project_roles: ProjectRoles | null }

/** Scopes that concern the organization as a whole: a role in a project does not include them. */
const organizationScopes: readonly Scope[] = scopes.filter((scope) => scope.startsWith('organization'))

/** What members may do by their role, as scopes of the API; `*` stands for all. Whatever a role does not name is refused. */
export const roleScopes: Readonly<Record<Role, readonly (Scope | '*')[]>> = {
  owner: ['*'],
  admin: scopes,
  editor: ['batch_export:write', 'integration:read', 'personal_api_key:write', 'organization_member:read'],
  analyst: [
    'batch_export:read',
    'integration:read',
    'session_recording:read',
    'error_tracking:write',
    'sharing_configuration:write',
    'personal_api_key:write',
    'organization_member:read',
  ],
}

/** Returns the scopes of a role with its name, in the whole organization or within a project. */
export function scopesOf(role: Role, within: 'organization' | 'project'): string[] {
  const name = rolePrefix + role
  if (within === 'organization') return [name, ...roleScopes[role]]
  const granted = scopes.filter((scope) => allowsScope(roleScopes[role], scope))
  return [name, ...granted.filter((scope) => !organizationScopes.includes(scope))]
}

/** Returns the scopes that both lists of scopes allow. */
export function scopesInBoth(some: string[], others: string[]): string[] {
  if (others.includes('*')) return some
  if (some.includes('*')) return others
  return scopes.filter((scope) => allowsScope(some, scope) && allowsScope(others, scope))
}
