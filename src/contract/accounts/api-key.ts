import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
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
