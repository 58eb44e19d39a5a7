import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import * as oidc from 'openid-client'
import { requestMsMax, sendPinned } from '../../http/send-request.ts'
import type { Services } from '../../services.ts'
import type { IdentityProviderRow } from '../../store/accounts/identity-providers.ts'

/** Bytes of an answer that are read: of tokens and claims, and of the settings and keys, which are kept. All are far smaller. */
const answerBytesMax = 1024 * 1024
const keptBytesMax = 256 * 1024
/** Seconds by which the clocks of a provider and of this service may differ. */
export const clockToleranceSeconds = 300

type Requests = Pick<Services, 'config' | 'hosts'>
type Needs = Requests & Pick<Services, 'clock' | 'secrets'>
export type ProviderClient = oidc.Configuration

type Registration = Pick<IdentityProviderRow, 'issuer' | 'client_id' | 'client_secret'>

/** What a provider says of itself, and its keys. */
export type ProviderSettings = {
  server: oidc.ServerMetadata
  keys: JSONWebKeySet
  /** Seconds since the epoch by the clock of the system, which openid-client uses. */
  readAt: number
}

/**
 * Asks a provider for its settings and keys.
 * @throws the error of openid-client or of the request; RefusedHost if an address is not allowed
 */
export async function readProvider(services: Requests, issuer: string): Promise<ProviderSettings> {
  const request = pinnedFetch(services, keptBytesMax)
  const client = await oidc.discovery(new URL(issuer), 'none', undefined, undefined, {
    ...options,
    [oidc.customFetch]: request,
  })
  const server = client.serverMetadata()
  const { authorization_endpoint: page, issuer: own, jwks_uri } = server
  // Otherwise an issuer that stands for many organizations would let all of them in.
  if (own !== issuer) throw new Error(`The provider calls itself ${own}: enter that as the issuer.`)
  if (page === undefined || !hasTlsOrIsLocal(new URL(page)))
    throw new Error('The provider names no page with HTTPS at which to sign in.')
  return { server, keys: await readKeys(request, jwks_uri), readAt: Math.floor(Date.now() / 1000) }
}

async function readKeys(request: oidc.CustomFetch, uri: string | undefined): Promise<JSONWebKeySet> {
  if (uri === undefined) return { keys: [] }
  const response = await request(uri, {
    body: null,
    headers: { accept: 'application/json' },
    method: 'GET',
    redirect: 'manual',
    signal: AbortSignal.timeout(requestMsMax),
  })
  if (response.status !== 200)
    throw new Error(`The provider answered with status ${response.status} for its keys.`)
  const keys = (await response.json()) as JSONWebKeySet
  // Throws unless these are keys.
  createLocalJWKSet(keys)
  return keys
}

const options = {
  // `pinnedFetch` decides which addresses may do without TLS.
  execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
  timeout: requestMsMax / 1000,
}

/** Returns a client of a provider, which checks signatures, issuer, audience and times. */
export function providerClient(
  services: Needs,
  { client_id, client_secret }: Registration,
  { server, keys, readAt }: ProviderSettings,
): ProviderClient {
  const { clock, secrets } = services
  const metadata = {
    [oidc.clockTolerance]: clockToleranceSeconds,
    [oidc.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
  }
  const client = new oidc.Configuration(
    server,
    client_id,
    metadata,
    authentication(secrets.open(client_secret)),
  )
  client.timeout = options.timeout
  client[oidc.customFetch] = pinnedFetch(services, answerBytesMax)
  for (const extend of options.execute) extend(client)
  // Of unknown keys, the client asks the provider again.
  if (server.jwks_uri !== undefined) oidc.setJwksCache(client, { jwks: keys, uat: readAt })
  return client
}

/** Sends the secret in the way that the provider supports. */
function authentication(secret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = server
    const send = supported.includes('client_secret_basic') ? inHeader : inBody
    send(server, ...request)
  }
}

/** Returns a `fetch` that connects only to allowed and checked addresses, follows no redirects and reads bounded answers. */
function pinnedFetch({ hosts, config }: Requests, bytesMax: number): oidc.CustomFetch {
  return async (url, { body, headers, signal }) => {
    if (!hasTlsOrIsLocal(new URL(url))) throw new Error('The provider names an address without HTTPS.')
    const answer = await sendPinned(url, {
      hosts,
      privateAddresses: config.privateDestinations,
      headers,
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      signal: signal ?? AbortSignal.timeout(requestMsMax),
      bytesMax,
    })
    if (!answer.isWhole) throw new Error(`The provider answered with more than ${bytesMax} bytes.`)
    const sent = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
    )
    const isEmpty = [204, 205, 304].includes(answer.status)
    return new Response(isEmpty ? null : answer.body, { status: answer.status, headers: sent })
  }
}

function textOf(body: NonNullable<oidc.FetchBody>): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('requests to a provider have a form as their body')
}

/** Whether an address has TLS, or is on this machine. */
export function hasTlsOrIsLocal({ protocol, hostname }: URL): boolean {
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}
