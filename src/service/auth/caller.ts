import type { ApiKey } from '../store/accounts/api-keys.ts'

/** What a caller may do, and in which projects and organizations; null: in all that its user can access. */
export type Grant = Pick<ApiKey, 'scopes' | 'scoped_projects' | 'scoped_organizations'>

/** The client of an authenticated request. */
export type Caller = Grant & {
  userId: string
  organizationId: string
  /** Shown where the product says who. */
  name: string
  /** The key that was sent. */
  key: Omit<ApiKey, 'hash'>
}

export function callerOfKey(key: Omit<ApiKey, 'hash'>, organizationId: string): Caller {
  const { scopes, scoped_projects, scoped_organizations, user_id: userId, label: name } = key
  return { scopes, scoped_projects, scoped_organizations, userId, organizationId, name, key }
}
