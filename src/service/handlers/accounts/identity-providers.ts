import * as oidc from 'openid-client'
import {
  everyGroup,
  IdentityProvider,
  providersMax,
  type ProviderMapping,
  type ProviderTest,
} from '../../../contract/accounts/identity-provider.ts'
import { secretRequired } from '../../../contract/destinations/moved-secrets.ts'
import type { Caller } from '../../auth/caller.ts'
import { hasTlsOrIsLocal, readProvider } from '../../auth/providers/provider-client.ts'
import { RefusedHost } from '../../engines/hosts.ts'
import { safeText } from '../../engines/safe-text.ts'
import { assertAllowedHost } from '../../http/assert-allowed-host.ts'
import { removeSecrets } from '../../http/remove-secrets.ts'
import { invalidInput, permissionDenied } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { Project } from '../../store/accounts/projects.ts'
import {
  countProviders,
  endProviderSessions,
  forgetIdentities,
  providersOf,
  type IdentityProviderRow,
} from '../../store/accounts/identity-providers.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { deleteRows, findRow, insertRow, updateRow } from '../../store/schema/rows.ts'
import { changedValues } from '../audit/audit-call.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

/** Characters of a provider's error that are shown. */
const shownMax = 300

export const listIdentityProviders: Handler<'listIdentityProviders'> = async ({ services, caller }) =>
  caller.scoped_projects === null ? (await providersOf(services.store, caller.organizationId)).map(show) : []

export const createIdentityProvider: Handler<'createIdentityProvider'> = async (request) => {
  const { services, caller, projects, body } = request
  const { store, clock, secrets } = services
  assertOwner(caller)
  await assertIssuer(services, body.issuer)
  assertRules(projects, body)
  if ((await countProviders(store, caller.organizationId)) >= providersMax)
    throw invalidInput(`An organization has at most ${providersMax} identity providers: remove one first.`)
  if (await findRow(store, 'identity_providers', { id: body.id }))
    throw invalidInput('This id is taken. Choose another one.', ['id'])
  const row = await insertRow(store, 'identity_providers', {
    ...body,
    organization_id: caller.organizationId,
    client_secret: secrets.seal(body.client_secret),
    mappings: JSON.stringify(body.mappings),
    created_at: new Date(clock.now()),
  })
  return show(row)
}

/** Another issuer calls others by the same names, so it starts without known members; turning a provider off ends its sessions. */
export const updateIdentityProvider: Handler<'updateIdentityProvider'> = async (request) => {
  const { services, caller, projects, body, identityProvider: before } = request
  assertOwner(caller)
  const { client_secret, mappings, ...plain } = body
  const isMoved = body.issuer !== undefined && body.issuer !== before.issuer
  if (isMoved && client_secret === undefined) throw invalidInput(secretRequired, ['client_secret'])
  if (isMoved) await assertIssuer(services, body.issuer ?? '')
  const { mappings: kept, allowed_domains, allowed_groups } = before
  assertRules(projects, {
    mappings: mappings ?? kept,
    allowed_domains: body.allowed_domains ?? allowed_domains,
    allowed_groups: body.allowed_groups ?? allowed_groups,
  })
  return await services.store.transaction().execute(async (transaction) => {
    const row = await updateRow(
      transaction,
      'identity_providers',
      { id: before.id, organization_id: caller.organizationId },
      {
        ...plain,
        ...(client_secret !== undefined && { client_secret: services.secrets.seal(client_secret) }),
        ...(mappings && { mappings: JSON.stringify(mappings) }),
      },
    )
    if (!row) throw new Error('the identity provider is missing')
    if (isMoved) await forgetIdentities(transaction, before)
    else if (!row.enabled) await endProviderSessions(transaction, before)
    const { before: changedFrom, after } = changedValues({ ...show(before) }, { ...show(row) })
    await audit(transaction, {
      organizationId: caller.organizationId,
      action: 'sign_in_provider.updated',
      at: new Date(services.clock.now()),
      object: { id: row.id, name: row.name },
      before: changedFrom ?? {},
      after: { ...after, ...(client_secret !== undefined && { client_secret: 'changed' }) },
    })
    return show(row)
  })
}

export const deleteIdentityProvider: Handler<'deleteIdentityProvider'> = async (request) => {
  const { services, caller, identityProvider } = request
  assertOwner(caller)
  await forgetIdentities(services.store, identityProvider)
  const { id, organization_id } = identityProvider
  await deleteRows(services.store, 'identity_providers', { id, organization_id })
  return null
}

export const testIdentityProvider: Handler<'testIdentityProvider'> = async ({
  services,
  identityProvider,
}) => {
  try {
    const { server } = await readProvider(services, identityProvider.issuer)
    return reported(identityProvider, server)
  } catch (error) {
    return { found: [], ...explained(services, identityProvider, error) }
  }
}

type Remedy = Pick<ProviderTest, 'problem' | 'remedy'>

function reported(provider: IdentityProviderRow, server: oidc.ServerMetadata): ProviderTest {
  const { scopes_supported: scopes, code_challenge_methods_supported: challenges } = server
  const missing = scopes ? provider.scopes.filter((scope) => !scopes.includes(scope)) : []
  const found = [
    `Its settings, as issuer ${server.issuer}.`,
    `A page at which to sign in: ${server.authorization_endpoint}.`,
    ...(challenges?.includes('S256') ? ['Protection of codes with PKCE.'] : []),
    server['backchannel_logout_supported'] === true
      ? 'Signing out there can end sessions here.'
      : 'It does not say that signing out there can end sessions here.',
  ].map((line) => safeText(line, shownMax))
  if (server.token_endpoint === undefined || server.jwks_uri === undefined)
    return {
      found,
      problem: 'It names no address for tokens or keys.',
      remedy: 'Use a provider of OpenID Connect.',
    }
  if (missing.length > 0)
    return {
      found,
      problem: `It does not know the scope ${missing.join(', ')}.`,
      remedy: 'Remove the scope here, or add it at the provider.',
    }
  return { found, problem: null, remedy: null }
}

/** Says why a provider's settings could not be read, and what to do. */
function explained({ secrets }: Services, provider: IdentityProviderRow, error: unknown): Remedy {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const refused = [error, cause].find((each) => each instanceof RefusedHost)
  if (refused)
    return {
      problem: refused.message,
      remedy: 'Use an issuer on the public internet, or set SPOOL_ALLOW_PRIVATE_DESTINATIONS=true.',
    }
  const inner = cause instanceof Error ? ` (${cause.message})` : ''
  const secret = secrets.open(provider.client_secret)
  return {
    problem: safeText(
      removeSecrets(`The settings could not be read: ${message}${inner}`, [secret]),
      shownMax,
    ),
    remedy: `Open ${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration: it must show settings whose "issuer" is exactly the one entered here.`,
  }
}

function show(row: IdentityProviderRow): IdentityProvider {
  return shownAs(IdentityProvider, row)
}

/** A provider decides who signs in as whom, also as an owner: an admin could otherwise become one. @throws ApiError 403 */
function assertOwner({ role, scopes, scoped_projects }: Caller): void {
  if (scoped_projects === null && (role === 'owner' || scopes.includes('*'))) return
  throw permissionDenied('Only an owner of the organization can change how its members sign in.')
}

/** @throws ApiError 400 if no request may be sent to the issuer. */
async function assertIssuer(services: Services, issuer: string): Promise<void> {
  if (!hasTlsOrIsLocal(new URL(issuer))) throw invalidInput('Use an address with https.', ['issuer'])
  await assertAllowedHost(services, issuer, ['issuer'])
}

type Rules = Pick<IdentityProviderRow, 'allowed_domains' | 'allowed_groups'> & { mappings: ProviderMapping[] }

/** @throws ApiError 400 if a mapping names a project of others, or lets everyone in whom the provider knows. */
function assertRules(
  projects: readonly Project[],
  { mappings, allowed_domains, allowed_groups }: Rules,
): void {
  const known = new Set(projects.map(({ id }) => String(id)))
  for (const [index, { group, project_roles }] of mappings.entries()) {
    const unknown = Object.keys(project_roles ?? {}).find((id) => !known.has(id))
    if (unknown !== undefined)
      throw invalidInput(`Project ${unknown} does not exist.`, ['mappings', String(index), 'project_roles'])
    if (group === everyGroup && allowed_domains.length + allowed_groups.length === 0)
      throw invalidInput(
        'A mapping for everyone needs allowed domains or groups: else whoever has an account at the provider gets in.',
        ['mappings', String(index), 'group'],
      )
  }
}
