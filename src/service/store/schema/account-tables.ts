import type { ColumnType, Generated } from 'kysely'
import type { ProjectRoles, Role } from '../../../contract/accounts/roles.ts'
import type { ProviderMapping } from '../../../contract/accounts/identity-provider.ts'
import type { SecondFactorKind } from '../../../contract/accounts/second-factor.ts'
import type { SignInMethod } from '../../../contract/accounts/sign-in-method.ts'

export type ProjectsTable = {
  id: Generated<number>
  organization_id: string
  name: string
  api_token: string
  created_at: Date
}

export type ApiKeysTable = {
  id: string
  user_id: string
  hash: Buffer
  label: string
  scopes: string[]
  scoped_projects: number[] | null
  scoped_organizations: string[] | null
  created_at: Date
  last_used_at: Date | null
  organization_id: string
  is_service: Generated<boolean>
  expires_at: Date | null
  last_used_from: string | null
}

export type UsersTable = {
  id: string
  email: string
  first_name: string
  created_at: Date
  password_hash: string | null
  totp_secret: Buffer | null
  totp_step: number | null
  /** The only organization in which the address means this user; null: in the whole installation. */
  organization_id: Generated<string | null>
  totp_new_secret: Buffer | null
  code_tries: Generated<number>
  code_tries_since: Date | null
  email_confirmed_at: Date | null
}

export type MembersTable = {
  organization_id: string
  user_id: string
  role: Role
  project_roles: ColumnType<ProjectRoles | null, string | null, string | null>
  created_at: Date
  chosen_at: ColumnType<Date | null, Date | undefined, Date>
}

export type SessionsTable = {
  id: string
  hash: Buffer
  user_id: string
  organization_id: string
  key_id: string | null
  method: SignInMethod
  device: string
  address: string
  created_at: Date
  last_used_at: Date
  confirmed_at: Date
  provider: string | null
  provider_session: string | null
  second_factor: SecondFactorKind | null
}

export type UserTokensTable = {
  hash: Buffer
  user_id: string
  organization_id: string
  purpose: 'sign in' | 'sign in without a code' | 'second factor' | 'new password' | 'new email'
  email: string | null
  expires_at: Date
  method: SignInMethod | null
  tries: Generated<number>
}

export type IdentityProvidersTable = {
  id: string
  organization_id: string
  name: string
  issuer: string
  client_id: string
  client_secret: Buffer
  scopes: string[]
  trusts_email: boolean
  allowed_domains: string[]
  allowed_groups: string[]
  groups_claim: string
  mappings: ColumnType<ProviderMapping[], string, string>
  enabled: boolean
  created_at: Date
}

export type UserIdentitiesTable = {
  provider: string
  subject: string
  organization_id: string
  user_id: string
  created_at: Date
  last_sign_in_at: Date
}

export type InvitesTable = {
  id: string
  organization_id: string
  hash: Buffer
  email: string | null
  role: Role
  project_roles: ColumnType<ProjectRoles | null, string | null, string | null>
  created_by: string
  created_at: Date
  expires_at: Date
}

export type MailKind =
  | 'password reset'
  | 'password changed'
  | 'password first reset'
  | 'passkey added'
  | 'second factor removed'
  | 'recovery codes replaced'
  | 'address changed'
  | 'new address'
  | 'address notice'
  | 'invite'
  | 'mention'

export type MailsTable = {
  id: string
  kind: MailKind
  recipient: string
  user_id: string | null
  organization_id: string | null
  invite_id: string | null
  note_id: string | null
  created_at: Date
  attempts: Generated<number>
  next_attempt_at: Date | null
  sent_at: Date | null
  error: string | null
}

export type PasskeysTable = {
  id: string
  credential_id: string
  host: string
  user_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

export type PasskeyChallengesTable = {
  hash: Buffer
  purpose: 'sign in' | 'confirm' | 'register'
  session_id: string | null
  expires_at: Date
}

export type PersonsTable = {
  id: Generated<number>
  project_id: number
  uuid: string
  properties: Record<string, unknown>
  version: number
  created_at: Date
}

export type PersonDistinctIdsTable = {
  project_id: number
  distinct_id: string
  person_id: number
  version: number
}

export type AccountTables = {
  organizations: { id: string; name: string; created_at: Date }
  users: UsersTable
  members: MembersTable
  removed_members: { organization_id: string; user_id: string }
  sessions: SessionsTable
  user_tokens: UserTokensTable
  identity_providers: IdentityProvidersTable
  user_identities: UserIdentitiesTable
  used_tokens: { hash: Buffer; expires_at: Date }
  invites: InvitesTable
  mails: MailsTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
  recovery_codes: { user_id: string; hash: Buffer }
  projects: ProjectsTable
  api_keys: ApiKeysTable
  persons: PersonsTable
  person_distinct_ids: PersonDistinctIdsTable
  event_imports: {
    id: string
    project_id: number
    file: string
    created_at: Date
    finished_at: Date | null
    events: number | null
    error: string | null
  }
}
