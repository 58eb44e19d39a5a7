import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
import { plainName } from '../plain-text.ts'
import { roles } from './roles.ts'
import { scopes } from './scopes.ts'
import { GrantedScope } from './scope-schema.ts'

const limitMax = 1000

export const PersonalApiKey = z.object({
  id: z.string(),
  label: z.string(),
  scopes: z.array(z.string()),
  scoped_teams: z.array(z.int()).nullable(),
  scoped_organizations: z.array(z.string()).nullable(),
  created_at: Instant,
  last_used_at: Instant.nullable(),
  /** Address of the client that last used it. */
  last_used_from: z.string().nullable(),
  /** When it stops working; null: never. */
  expires_at: Instant.nullable(),
  /** Whether it belongs to the organization: it works after its creator has left. */
  is_service: z.boolean(),
})
export type PersonalApiKey = z.infer<typeof PersonalApiKey>

/** Only the response that creates a key contains its value. */
export const CreatedPersonalApiKey = PersonalApiKey.extend({ value: z.string() })

export const PersonalApiKeyCreate = z.object({
  label: plainName(200),
  scopes: z
    .array(GrantedScope)
    .min(1, { error: 'Choose at least one scope: a key without scopes cannot do anything.' })
    .max(scopes.length + 1),
  scoped_teams: z.array(z.int()).max(limitMax).nullable().optional(),
  scoped_organizations: z.array(z.string()).max(limitMax).nullable().optional(),
  expires_at: InstantInput.nullable().optional(),
  is_service: z.boolean().optional(),
})
export type PersonalApiKeyCreate = z.infer<typeof PersonalApiKeyCreate>

const Scopes = z.array(z.string())

export const User = z.object({
  uuid: z.string(),
  email: z.string(),
  first_name: z.string(),
  /** null for a key of the organization. */
  role: z.enum(roles).nullable(),
  /** What the request's key or session may do, in any project. */
  scopes: Scopes,
  /** What it may do in each project, by the project's id, if that differs; null: `scopes` in all. */
  scopes_by_team: z.record(z.string(), Scopes).nullable(),
  /** Whether it can access all projects of the organization. */
  all_teams: z.boolean(),
  /** The request's key, or the one exchanged for its session; null if a person signed in. */
  key: z.object({ id: z.string(), label: z.string() }).nullable(),
  has_password: z.boolean(),
  /** The organizations in which a session can work, with the ids of their projects; see `switchOrganization`. */
  organizations: z.array(z.object({ id: z.string(), name: z.string(), project_ids: z.array(z.int()) })),
  /** Whether a code completes sign-ins with the password. */
  has_second_factor: z.boolean(),
  /** Number of the user's passkeys. */
  passkeys: z.int(),
  organization: z.object({
    id: z.string(),
    name: z.string(),
    teams: z.array(z.object({ id: z.int(), name: z.string(), api_token: z.string() })),
  }),
  team: z.object({ id: z.int(), name: z.string() }),
})
export type User = z.infer<typeof User>

/** Features and settings of this installation, from which forms derive their choices. */
export const Instance = z.object({
  destinations: z.array(z.string()),
  exports_folder: z.string().nullable(),
  private_destinations_allowed: z.boolean(),
  settle_seconds: z.number(),
})
export type Instance = z.infer<typeof Instance>
