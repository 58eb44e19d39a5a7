import { z } from 'zod'
import { roles } from './roles.ts'

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
