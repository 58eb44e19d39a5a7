import { scopesInBoth, scopesOf, type Role } from '../../contract/accounts/roles.ts'
import { allowsScope, missingScope, type Scope } from '../../contract/accounts/scopes.ts'
import { ApiError, permissionDenied } from '../problems/api-error.ts'
import type { ApiKey } from '../store/accounts/api-keys.ts'
import type { Project } from '../store/accounts/projects.ts'
import type { OwnSessions, Session } from '../store/accounts/sessions.ts'
import { sessionMs } from './session-times.ts'
import type { Member } from '../store/accounts/users.ts'

/** What a caller may do, and in which projects and organizations; null: in all that its user can access. */
export type Grant = Pick<ApiKey, 'scopes' | 'scoped_projects' | 'scoped_organizations'>

type Limits = Grant & {
  /** The scopes in each project, by its id, if the user's role differs between projects; `scopes` are then those in any. */
  scopesIn: ReadonlyMap<number, string[]> | null
}

/** The client of an authenticated request. */
export type Caller = Limits & {
  userId: string
  organizationId: string
  /** Shown where the product says who: a person's name or a key's label. */
  name: string
  /** Whether a person signed in, and not with a key. */
  isPerson: boolean
  /** The key that was sent, or that was exchanged for the session. */
  key: Omit<ApiKey, 'hash'> | null
  session: Session | null
  /** null for a key of the organization. */
  role: Role | null
  /** Whether the user has a password or a passkey with which to confirm that they are present. */
  canConfirm: boolean
}

const everything: Grant = { scopes: ['*'], scoped_projects: null, scoped_organizations: null }

/** Returns the caller that a key identifies. */
export function callerOfKey(
  key: Omit<ApiKey, 'hash'>,
  role: Pick<Member, 'role' | 'project_roles'> | null,
): Caller {
  return {
    ...(role === null ? { ...grantOf(key), scopesIn: null } : limitedToRole(grantOf(key), role)),
    userId: key.user_id,
    organizationId: key.organization_id,
    name: key.label,
    isPerson: false,
    key,
    session: null,
    role: role?.role ?? null,
    canConfirm: false,
  }
}

/** Returns the caller that a session identifies; `key` is the one that was exchanged for it. */
export function callerOfSession(
  session: Session,
  member: Pick<Member, 'role' | 'project_roles'> & { name: string; can_confirm: boolean },
  key: Omit<ApiKey, 'hash'> | null,
): Caller {
  return {
    ...limitedToRole(key === null ? everything : grantOf(key), member),
    userId: session.user_id,
    organizationId: session.organization_id,
    name: key?.label ?? member.name,
    isPerson: key === null,
    key,
    session,
    role: member.role,
    canConfirm: member.can_confirm,
  }
}

/** Returns the session of a person. @throws ApiError 403 for an API key, also if it was exchanged for a session */
export function personsSession({ isPerson, session }: Caller): Session {
  if (isPerson && session) return session
  throw permissionDenied('Only a person who has signed in can do this, not an API key.')
}

function grantOf({ scopes, scoped_projects, scoped_organizations }: Grant): Grant {
  return { scopes, scoped_projects, scoped_organizations }
}

/**
 * Checks that a person who signed in is still present: within a few minutes of a sign-in or of a confirmation. Someone without
 * a password or passkey cannot confirm. @throws ApiError 403 with the code `confirmation_required`
 */
export function assertConfirmed({ isPerson, session, canConfirm }: Caller, now: number): void {
  if (!isPerson || !session || !canConfirm || now - session.confirmed_at.getTime() < sessionMs.confirmed)
    return
  throw new ApiError({
    status: 403,
    type: 'authentication_error',
    code: 'confirmation_required',
    detail:
      'Confirm that it is you first: POST your password or a passkey to /api/sessions/@current/confirm/, then repeat this request.',
  })
}

/** Whether a session can move to another organization: that of a provider or a key stays in the organization of either. */
export function canSwitch({ isPerson, session }: Caller): boolean {
  return isPerson && session !== null && session.method !== 'provider'
}

/** Names the sessions that a caller sees and ends: a key has only those for which it was exchanged. */
export function ownSessions({ userId, key }: Caller): OwnSessions {
  return { user_id: userId, ...(key && { key_id: key.id }) }
}

export function memberOf({ userId, organizationId }: Caller): Pick<Member, 'user_id' | 'organization_id'> {
  return { user_id: userId, organization_id: organizationId }
}

/** Limits a grant to the role of its user. */
function limitedToRole(
  grant: Grant,
  { role, project_roles }: Pick<Member, 'role' | 'project_roles'>,
): Limits {
  if (project_roles === null)
    return { ...grant, scopes: scopesInBoth(grant.scopes, scopesOf(role, 'organization')), scopesIn: null }
  const reachable = Object.entries(project_roles).filter(
    ([id]) => grant.scoped_projects?.includes(Number(id)) ?? true,
  )
  const scopesIn = new Map(
    reachable.map(([id, own]) => [Number(id), scopesInBoth(grant.scopes, scopesOf(own, 'project'))]),
  )
  return {
    ...grant,
    scopes: [...new Set([...scopesIn.values()].flat())],
    scoped_projects: [...scopesIn.keys()],
    scopesIn,
  }
}

/**
 * Returns the projects in which the caller has the scope, and the caller with the scopes that it has in each of them.
 * @throws ApiError 403 if it has the scope in none of the projects.
 */
export function narrowed(caller: Caller, projects: Project[], scope: Scope | null) {
  const { scopesIn } = caller
  if (scopesIn === null || projects.length === 0) return { caller, projects }
  const scopesOfProject = ({ id }: Project) => scopesIn.get(id) ?? []
  const allowed = projects.filter((project) => scope === null || allowsScope(scopesOfProject(project), scope))
  const [first, ...others] = allowed.map(scopesOfProject)
  if (!first) throw permissionDenied(scope ? missingScope(projects.flatMap(scopesOfProject), scope) : '')
  return { caller: { ...caller, scopes: others.reduce(scopesInBoth, first) }, projects: allowed }
}
