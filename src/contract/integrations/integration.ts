import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { offsetQuery, repeatable } from '../page.ts'
import { integrationKindNames } from '../destinations/integration-kind-names.ts'

export const IntegrationKindName = z.enum(integrationKindNames)

const Config = z.record(z.string(), z.unknown())

/** A connection, which PostHog calls an integration: saved once, and used by many exports. */
export const Integration = z.object({
  id: z.int(),
  kind: IntegrationKindName,
  /** Without secrets. */
  config: Config,
  created_at: Instant,
  created_by: z.object({ uuid: z.string(), first_name: z.string(), email: z.string() }).nullable(),
  /** Why it failed last; empty if it has worked since. */
  errors: z.string(),
  /** Unique among the connections of its kind in the project. */
  display_name: z.string(),
  /** Where its secrets are sent. */
  address: z.string(),
  /** Number of exports that use it. */
  used_by: z.int(),
  last_worked_at: Instant.nullable(),
  last_failed_at: Instant.nullable(),
})
export type Integration = z.infer<typeof Integration>

/** `integrationIssues` validates the config. */
export const IntegrationInput = z.object({
  kind: z.enum(integrationKindNames, {
    error: ({ input }) =>
      typeof input === 'string'
        ? `"${input.slice(0, 100)}" is not a valid choice. Available kinds: [${integrationKindNames.map((name) => `'${name}'`).join(', ')}].`
        : undefined,
  }),
  config: Config,
})

/** The whole new config: of the stored one, only a name is kept. */
export const IntegrationRotation = z.object({ config: Config })

export const IntegrationQuery = offsetQuery(100).extend({ kind: repeatable(z.string()) })
