import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { plainName } from '../plain-text.ts'
import { ProjectRolesInput } from './member.ts'
import { projectRoles } from './roles.ts'

/** The group of a mapping that stands for everyone whom the allowed domains and groups let in. */
export const everyGroup = '*'

/** Providers of an organization. */
export const providersMax = 20

const Group = z.string().trim().min(1).max(200)

/** What members of a group may do. No group makes an owner. */
export const ProviderMapping = z.strictObject({
  /** A value of the claim of groups, or `*`. */
  group: Group,
  role: z.enum(projectRoles),
  /** The role in each project to which the group is limited, by its id; null: `role` in all projects. */
  project_roles: ProjectRolesInput.default(null),
})
export type ProviderMapping = z.infer<typeof ProviderMapping>

const Issuer = z
  .url({ protocol: /^https?$/, error: 'Enter a URL, such as https://login.company.example.' })
  .max(500)
  .refine((text) => !URL.canParse(text) || isPlainUrl(new URL(text)), {
    error: 'The issuer has no user name, password, query or fragment. Give it as the provider names it.',
  })

function isPlainUrl({ username, password, search, hash }: URL): boolean {
  return username + password + search + hash === ''
}

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z\d-]+(\.[a-z\d-]+)+$/, { error: 'Enter a domain, such as company.example.' })

const settings = {
  name: plainName(60),
  issuer: Issuer,
  client_id: z.string().trim().min(1).max(500),
  scopes: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/)).max(20),
  /** Whether addresses count as confirmed though the provider does not say so, as Microsoft Entra ID does not. */
  trusts_email: z.boolean(),
  /** Domains of e-mail addresses that may sign in; empty: any. */
  allowed_domains: z.array(Domain).max(50),
  /** Groups of which one is required; empty: none is. */
  allowed_groups: z.array(Group).max(50),
  groups_claim: z.string().trim().min(1).max(100),
  mappings: z.array(ProviderMapping).max(200),
  enabled: z.boolean(),
}
const secret = z.string().min(1).max(500)

/** An OpenID Connect provider with which members sign in. Its secret is never returned. */
export const IdentityProvider = z.object({
  id: z.string(),
  ...settings,
  issuer: z.string(),
  created_at: Instant,
})
export type IdentityProvider = z.infer<typeof IdentityProvider>

export const providerDefaults = { scopes: ['openid', 'email', 'profile'], groups_claim: 'groups' }

export const IdentityProviderCreate = z.strictObject({
  /** Part of the redirect URL, for good. */
  id: z.string().regex(/^[a-z\d](?:[a-z\d-]{0,38}[a-z\d])?$/, {
    error: 'Use 1 to 40 lowercase letters, digits and hyphens, such as company-login.',
  }),
  ...settings,
  client_secret: secret,
  scopes: settings.scopes.default(providerDefaults.scopes),
  trusts_email: settings.trusts_email.default(false),
  allowed_domains: settings.allowed_domains.default([]),
  allowed_groups: settings.allowed_groups.default([]),
  groups_claim: settings.groups_claim.default(providerDefaults.groups_claim),
  mappings: settings.mappings.default([]),
  enabled: settings.enabled.default(true),
})

/** A new issuer needs the secret as well, since the stored one is only sent to the issuer for which it was entered. */
export const IdentityProviderUpdate = z
  .strictObject({ ...settings, client_secret: secret })
  .partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Nothing to update: send at least one setting.',
  })

/** What a provider says of itself, or why it cannot be used and what to do. */
export const ProviderTest = z.object({
  found: z.array(z.string()),
  problem: z.string().nullable(),
  remedy: z.string().nullable(),
})
export type ProviderTest = z.infer<typeof ProviderTest>
