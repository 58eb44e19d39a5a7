import {
  providerDefaults,
  type IdentityProvider,
  type ProviderMapping,
} from '../../contract/accounts/identity-provider.ts'
import type { BodyInput } from '../../contract/endpoints.ts'

/** A group's role in all projects (an empty text) or in one, by its id. */
export type MappingValues = { group: string; role: ProviderMapping['role']; project: string }

/** What the form of a provider holds; lists are texts. */
export type ProviderValues = {
  id: string
  name: string
  issuer: string
  client_id: string
  client_secret: string
  scopes: string
  groups_claim: string
  allowed_domains: string
  allowed_groups: string
  trusts_email: boolean
  mappings: MappingValues[]
}

export const newMapping: MappingValues = { group: '', role: 'analyst', project: '' }

/** Returns the form's values of a provider; null: a new one. */
export function valuesOf(provider: IdentityProvider | null): ProviderValues {
  const { scopes = providerDefaults.scopes, groups_claim = providerDefaults.groups_claim } = provider ?? {}
  return {
    id: provider?.id ?? '',
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    scopes: scopes.join(' '),
    groups_claim,
    allowed_domains: provider?.allowed_domains.join(' ') ?? '',
    allowed_groups: provider?.allowed_groups.join('\n') ?? '',
    trusts_email: provider?.trusts_email ?? false,
    mappings: provider?.mappings.flatMap(rowsOf) ?? [],
  }
}

/** A row for each project of a mapping. */
function rowsOf({ group, role, project_roles }: ProviderMapping): MappingValues[] {
  if (project_roles === null) return [{ group, role, project: '' }]
  return Object.entries(project_roles).map(([project, own]) => ({ group, role: own, project }))
}

/** Returns the settings to send; an empty secret keeps the stored one. */
export function settingsOf(values: ProviderValues): BodyInput<'updateIdentityProvider'> {
  const { name, issuer, client_id, client_secret, groups_claim, trusts_email } = values
  return {
    name,
    issuer: issuer.trim(),
    client_id,
    groups_claim,
    trusts_email,
    ...(client_secret !== '' && { client_secret }),
    scopes: words(values.scopes),
    allowed_domains: words(values.allowed_domains),
    allowed_groups: lines(values.allowed_groups),
    mappings: values.mappings.map(({ group, role, project }) => ({
      group,
      role,
      project_roles: project === '' ? null : { [project]: role },
    })),
  }
}

function words(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

/** Names of groups can contain spaces. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** The addresses at which a provider sends people back and tells that a session has ended. */
export function addressesOf(origin: string, id: string) {
  return {
    callback: `${origin}/sign-in/${id}/callback`,
    logout: `${origin}/sign-in/${id}/backchannel-logout`,
  }
}
