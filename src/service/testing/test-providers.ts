import type { IdentityProviderRow } from '../store/accounts/identity-providers.ts'
import { insertRow } from '../store/schema/rows.ts'
import type { TestService } from './test-service.ts'

/** Inserts an identity provider of the organization `own`, which nothing answers. */
export function insertProvider(
  { services: { store, secrets, clock }, own: { organization_id } }: Pick<TestService, 'services' | 'own'>,
  { client_secret = 'provider-secret', mappings = [], ...values }: ProviderValues = {},
): Promise<IdentityProviderRow> {
  return insertRow(store, 'identity_providers', {
    id: `company-${crypto.randomUUID().slice(0, 8)}`,
    organization_id,
    name: 'Company',
    issuer: 'http://127.0.0.1:9',
    client_id: 'spool',
    client_secret: secrets.seal(client_secret),
    scopes: ['openid', 'email', 'profile', 'groups'],
    trusts_email: false,
    allowed_domains: [],
    allowed_groups: [],
    groups_claim: 'groups',
    mappings: JSON.stringify(mappings),
    enabled: true,
    created_at: new Date(clock.now()),
    ...values,
  })
}

type ProviderValues = Partial<Omit<IdentityProviderRow, 'client_secret'>> & { client_secret?: string }
