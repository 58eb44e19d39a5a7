import { expect, test } from 'vitest'
import type { IdentityProvider } from '../../contract/accounts/identity-provider.ts'
import { settingsOf, valuesOf } from './provider-values.ts'

const settings = {
  name: 'Company',
  issuer: 'https://login.company.example',
  client_id: 'spool',
  scopes: ['openid', 'groups'],
  trusts_email: true,
  allowed_domains: ['a.example', 'b.example'],
  allowed_groups: ['All staff', 'Guests'],
  groups_claim: 'groups',
}

test('a provider that is saved unchanged keeps its settings and its secret', () => {
  const provider: IdentityProvider = {
    ...settings,
    id: 'company',
    mappings: [
      { group: 'Data team', role: 'editor', project_roles: null },
      { group: 'Shop', role: 'analyst', project_roles: { 1: 'analyst', 2: 'editor' } },
    ],
    enabled: true,
    created_at: '2026-03-04T10:30:00Z',
  }
  expect(settingsOf(valuesOf(provider))).toEqual({
    ...settings,
    mappings: [
      { group: 'Data team', role: 'editor', project_roles: null },
      // Each project is a row of the form.
      { group: 'Shop', role: 'analyst', project_roles: { 1: 'analyst' } },
      { group: 'Shop', role: 'editor', project_roles: { 2: 'editor' } },
    ],
  })
})
