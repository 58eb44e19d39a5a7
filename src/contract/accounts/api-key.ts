import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { plainName } from '../plain-text.ts'
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
})
export type PersonalApiKeyCreate = z.infer<typeof PersonalApiKeyCreate>

export const User = z.object({
  uuid: z.string(),
  email: z.string(),
  first_name: z.string(),
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
