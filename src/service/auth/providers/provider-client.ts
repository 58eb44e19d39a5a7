import * as oidc from 'openid-client'
import { requestMsMax, sendPinned } from '../../http/send-request.ts'
import type { Services } from '../../services.ts'
import type { IdentityProviderRow } from '../../store/accounts/identity-providers.ts'

/** Bytes of an answer that are read: documents, keys and tokens are far smaller. */
const answerBytesMax = 1024 * 1024
/** Seconds by which the clocks of a provider and of this service may differ. */
export const clockToleranceSeconds = 300

type Needs = Pick<Services, 'config' | 'clock' | 'hosts' | 'secrets'>
export type ProviderClient = oidc.Configuration

/** What decides where the secret is sent, and to whom it belongs. */
type Registration = Pick<IdentityProviderRow, 'issuer' | 'client_id' | 'client_secret'>

/**
 * Asks a provider for its settings and returns a client of it, which checks signatures, issuer, audience and times.
 * @throws the error of openid-client or of the request; RefusedHost if an address is not allowed
 */
export async function openProvider(services: Needs, provider: Registration): Promise<ProviderClient> {
  const { issuer, client_id, client_secret } = provider
  const { clock, secrets } = services
  const metadata = {
    [oidc.clockTolerance]: clockToleranceSeconds,
    [oidc.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
  }
  const client = await oidc.discovery(
    new URL(issuer),
    client_id,
    metadata,
    authentication(secrets.open(client_secret)),
    {
      // `pinnedFetch` decides which addresses may do without TLS.
      execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
      timeout: requestMsMax / 1000,
      [oidc.customFetch]: pinnedFetch(services),
    },
  )
  const { authorization_endpoint: page, issuer: own } = client.serverMetadata()
  // Otherwise an issuer that stands for many organizations would let all of them in.
  if (own !== issuer) throw new Error(`The provider calls itself ${own}: enter that as the issuer.`)
  if (page === undefined || !hasTlsOrIsLocal(new URL(page)))
    throw new Error('The provider names no page with HTTPS at which to sign in.')
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
export function pinnedFetch({ hosts, config }: Pick<Services, 'hosts' | 'config'>): oidc.CustomFetch {
  return async (url, { body, headers, signal }) => {
    if (!hasTlsOrIsLocal(new URL(url))) throw new Error('The provider names an address without HTTPS.')
    const answer = await sendPinned(url, {
      hosts,
      privateAddresses: config.privateDestinations,
      headers,
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      signal: signal ?? AbortSignal.timeout(requestMsMax),
      bytesMax: answerBytesMax,
    })
    if (!answer.isWhole) throw new Error(`The provider answered with more than ${answerBytesMax} bytes.`)
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
