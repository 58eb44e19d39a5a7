import { unknownEmail } from '../../contract/accounts/unknown-email.ts'
import type { ApiKey } from '../store/accounts/api-keys.ts'
import type { Member } from '../store/accounts/users.ts'
import type { Store } from '../store/schema/database.ts'
import { newId } from '../store/schema/identifier.ts'
import { insertRow } from '../store/schema/rows.ts'
import type { Grant } from './caller.ts'
import { hashApiKey, newApiKey, newProjectToken } from './api-key-value.ts'

export type NewOrganization = Awaited<ReturnType<typeof createOrganization>>

type Names = { name: string; projectName: string }
type KeyNames = { keyLabel: string; apiKey?: string }

/** Creates an organization with its owner, a project, and a key with all scopes. `now` is in milliseconds. */
export async function createOrganization(store: Store, now: number, names: Names & KeyNames) {
  const { owner, project } = await createWithOwner(store, now, names)
  const apiKey = names.apiKey ?? newApiKey()
  await insertRow(store, 'api_keys', newKeyRow(owner, names.keyLabel, apiKey, now))
  return {
    organization_id: owner.organization_id,
    project_id: project.id,
    project_token: project.api_token,
    api_key: apiKey,
  }
}

/** Creates an organization with a project and an owner who has no way to sign in yet. `now` is in milliseconds. */
export async function createWithOwner(store: Store, now: number, names: Names) {
  const createdAt = { created_at: new Date(now) }
  const organizationId = newId(now)
  const userId = newId(now)
  await insertRow(store, 'organizations', { id: organizationId, name: names.name, ...createdAt })
  await insertRow(store, 'users', {
    id: userId,
    email: unknownEmail,
    first_name: 'Admin',
    ...createdAt,
  })
  const owner = await insertRow(store, 'members', {
    organization_id: organizationId,
    user_id: userId,
    role: 'owner',
    ...createdAt,
  })
  const project = await insertRow(store, 'projects', {
    organization_id: organizationId,
    name: names.projectName,
    api_token: newProjectToken(),
    ...createdAt,
  })
  return { owner, project }
}

type Limits = Partial<Grant & Pick<ApiKey, 'expires_at' | 'is_service'>>

/** Returns the row of a new key of a member, by default with full access to the organization. */
export function newKeyRow(
  { user_id, organization_id }: Pick<Member, 'user_id' | 'organization_id'>,
  label: string,
  value: string,
  now: number,
  limits: Limits = {},
): ApiKey {
  return {
    id: newId(now),
    user_id,
    organization_id,
    is_service: false,
    expires_at: null,
    last_used_from: null,
    hash: hashApiKey(value),
    label,
    scopes: ['*'],
    scoped_projects: null,
    scoped_organizations: null,
    created_at: new Date(now),
    last_used_at: null,
    ...limits,
  }
}
