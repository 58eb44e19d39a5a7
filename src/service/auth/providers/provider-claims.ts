import { everyGroup, type ProviderMapping } from '../../../contract/accounts/identity-provider.ts'
import { roles, type ProjectRoles, type Rights, type Role } from '../../../contract/accounts/roles.ts'
import { Email } from '../../../contract/accounts/session.ts'
import type { SignInProblem } from '../../../contract/accounts/sign-in-problem.ts'
import { safeText } from '../../engines/safe-text.ts'
import type { IdentityProviderRow } from '../../store/accounts/identity-providers.ts'

/** What a provider says of someone. */
export type ProviderClaims = Record<string, unknown>

/** Groups of someone that are read. */
const groupsMax = 2000

/** Returns the e-mail address if it is confirmed; null without one. */
export function confirmedEmail(
  claims: ProviderClaims,
  { trusts_email }: Pick<IdentityProviderRow, 'trusts_email'>,
): string | null {
  const isConfirmed =
    claims['email_verified'] === true || (trusts_email && claims['email_verified'] === undefined)
  const parsed = Email.safeParse(claims['email'])
  return isConfirmed && parsed.success ? parsed.data : null
}

/** Characters that would break or reorder a line. */
const odd = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** Returns a name to show, at most 100 characters. */
export function shownName({ name, given_name, preferred_username }: ProviderClaims, email: string): string {
  const given = [name, given_name, preferred_username].filter((text) => typeof text === 'string')
  const known = given.find((text) => text.trim() !== '') ?? email.split('@')[0] ?? ''
  return safeText(known.replaceAll(odd, ' '), 100).trim()
}

type Rules = Pick<IdentityProviderRow, 'allowed_domains' | 'allowed_groups' | 'groups_claim' | 'mappings'>

/** Returns what someone may do by their e-mail address and groups, or why they may not sign in. Nobody may by default. */
export function accessOf(rules: Rules, claims: ProviderClaims, email: string | null): Rights | SignInProblem {
  if (rules.allowed_domains.length > 0) {
    if (email === null) return 'email'
    if (!rules.allowed_domains.includes(email.split('@').at(-1)?.toLowerCase() ?? '')) return 'domain'
  }
  const groups = groupsOf(claims[rules.groups_claim])
  if (rules.allowed_groups.length > 0 && !rules.allowed_groups.some((group) => groups.has(group)))
    return 'groups'
  const granted = rules.mappings.filter(({ group }) => group === everyGroup || groups.has(group))
  return combined(granted) ?? 'groups'
}

/** A group is a text; some providers send one text instead of a list. `*` is never one. */
function groupsOf(claim: unknown): Set<string> {
  const list: unknown[] = Array.isArray(claim) ? claim.slice(0, groupsMax) : [claim]
  return new Set(list.filter((group) => typeof group === 'string').filter((group) => group !== everyGroup))
}

/**
 * Combines the mappings of all groups of someone: the most powerful role in each project. A mapping for all projects lifts the
 * limit to some.
 */
function combined(mappings: readonly ProviderMapping[]): Rights | undefined {
  const everywhere = mappings.filter((mapping) => mapping.project_roles === null)
  const role = strongest((everywhere.length > 0 ? everywhere : mappings).map((mapping) => mapping.role))
  if (role === undefined) return undefined
  if (everywhere.length > 0) return { role, project_roles: null }
  const project_roles: ProjectRoles = {}
  for (const [id, own] of mappings.flatMap((mapping) => Object.entries(mapping.project_roles ?? {})))
    project_roles[id] = strongest([own, ...(project_roles[id] ? [project_roles[id]] : [])]) ?? own
  return { role, project_roles }
}

function strongest<Held extends Role>(held: readonly Held[]): Held | undefined {
  return held.toSorted((one, other) => roles.indexOf(one) - roles.indexOf(other))[0]
}
