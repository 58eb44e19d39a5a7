import type { ProjectRoles, Role } from '../../contract/accounts/roles.ts'
import { hashToken, newToken } from '../auth/sessions.ts'
import type { Session } from '../store/accounts/sessions.ts'
import type { InviteRow } from '../store/accounts/members.ts'
import type { UserToken } from '../store/accounts/user-tokens.ts'
import { firstOwner } from '../store/accounts/users.ts'
import { newId } from '../store/schema/identifier.ts'
import { insertRow } from '../store/schema/rows.ts'
import type { TestService } from './test-service.ts'

/** Inserts a member of the organization `own`; returns the user's id. */
export async function insertMember(
  { services: { store, clock }, own: { organization_id } }: Pick<TestService, 'services' | 'own'>,
  role: Role,
  projectRoles: ProjectRoles | null = null,
): Promise<string> {
  const user_id = newId(clock.now())
  const created_at = new Date(clock.now())
  await insertRow(store, 'users', {
    id: user_id,
    email: `${user_id}@people.example`,
    first_name: 'Other',
    created_at,
  })
  const project_roles = projectRoles && JSON.stringify(projectRoles)
  await insertRow(store, 'members', { organization_id, user_id, role, project_roles, created_at })
  return user_id
}

/** Inserts an invite to the organization `own` by its owner; returns its id and token. */
export async function insertInvite(
  { services: { store, clock }, own: { organization_id } }: Pick<TestService, 'services' | 'own'>,
  values: Partial<Pick<InviteRow, 'role' | 'email' | 'expires_at'>> = {},
): Promise<{ id: string; token: string }> {
  const owner = await firstOwner(store, organization_id)
  const token = newToken()
  const { id } = await insertRow(store, 'invites', {
    id: newId(clock.now()),
    organization_id,
    hash: hashToken(token),
    email: null,
    role: 'analyst',
    project_roles: null,
    created_by: owner?.user_id ?? '',
    created_at: new Date(clock.now()),
    expires_at: new Date(clock.now() + 3_600_000),
    ...values,
  })
  return { id, token }
}

/** Inserts a link of the owner of `own` that works once; returns its token. */
export async function insertToken(
  { services: { store, clock }, own: { organization_id } }: Pick<TestService, 'services' | 'own'>,
  purpose: UserToken['purpose'],
): Promise<string> {
  const owner = await firstOwner(store, organization_id)
  const token = newToken()
  await insertRow(store, 'user_tokens', {
    hash: hashToken(token),
    user_id: owner?.user_id ?? '',
    organization_id,
    purpose,
    email: 'new@people.example',
    expires_at: new Date(clock.now() + 3_600_000),
  })
  return token
}

/** Inserts a passkey of a user, which answers nothing; returns its id. */
export async function insertPasskey(
  { services: { store, clock } }: Pick<TestService, 'services'>,
  user_id: string,
): Promise<string> {
  const id = newId(clock.now())
  await insertRow(store, 'passkeys', {
    id,
    credential_id: id,
    user_id,
    public_key: Buffer.alloc(1),
    counter: 0,
    transports: [],
    name: 'Laptop',
    host: 'localhost',
    created_at: new Date(clock.now()),
    last_used_at: null,
  })
  return id
}

/** Headers with which a page of the service sends a session's cookie. */
export type SessionHeaders = { cookie: string; origin: string }

/** Inserts a session of a member of `own`, by default its owner. */
export async function insertSession(
  { services: { store, clock }, own: { organization_id } }: Pick<TestService, 'services' | 'own'>,
  values: Partial<Session> = {},
): Promise<{ id: string; headers: SessionHeaders }> {
  const user_id = values.user_id ?? (await firstOwner(store, organization_id))?.user_id
  if (user_id === undefined) throw new Error('the organization has no owner')
  const token = newToken()
  const now = new Date(clock.now())
  const times = { created_at: now, last_used_at: now, confirmed_at: now }
  const session = {
    organization_id,
    method: 'password' as const,
    device: 'Firefox on Linux',
    address: '127.0.0.1',
  }
  const id = newId(clock.now())
  await insertRow(store, 'sessions', { id, hash: hashToken(token), user_id, ...session, ...times, ...values })
  return { id, headers: { cookie: `spool_session_80=${token}`, origin: 'http://localhost:80' } }
}
