import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { Provider } from 'oidc-provider'
import { startOf } from '../http/read-body.ts'

/** What the provider says of an account. */
export type AccountClaims = {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[] | string
}

type Options = {
  redirectUri: string
  clientId?: string
  clientSecret?: string
  /** Receives the form with which the provider says that a session has ended. */
  onLogout?: (form: string) => Promise<number>
}

export type TestProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** Starts a certified OpenID Connect provider on loopback. Everyone who visits it is signed in as `person.sub`. */
export async function startIdentityProvider(options: Options) {
  const { redirectUri, clientId = 'spool', clientSecret = 'provider-secret', onLogout } = options
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = await generateKeyPair('RS256', { extractable: true })
  const signing = { ...(await exportJWK(keys.privateKey)), kid: 'test', use: 'sig', alg: 'RS256' }
  const person = { sub: 'ada', claims: {} as AccountClaims }
  /** Changes the claims of the next ID tokens, which are signed again. */
  const tampering: { claims: ((claims: JWTPayload) => JWTPayload) | null } = { claims: null }
  const tokenRequests: string[] = []
  /** The paths that were requested; answers of settings wait for `hold`. */
  const traffic = { paths: [] as string[], hold: Promise.resolve() }
  const sign = (claims: JWTPayload, typ = 'JWT') =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test', typ }).sign(keys.privateKey)

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: `${issuer}/forwarded-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [signing] },
    cookies: { keys: ['test'] },
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...person.claims }) }),
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    // By default, it sends nothing to loopback.
    fetch: (url, { dispatcher: _, ...request }: RequestInit & { dispatcher?: unknown } = {}) =>
      fetch(url, request),
    ttl: {
      IdToken: 60,
      AccessToken: 3600,
      AuthorizationCode: 600,
      Session: 3600,
      Grant: 3600,
      Interaction: 3600,
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (context.path !== '/token' || !body?.id_token) return
    if (tampering.claims) body.id_token = await sign(tampering.claims(decodeJwt(body.id_token)))
  })
  const handle = provider.callback()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/'))
      return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
    if (request.url === '/forwarded-logout') {
      const form = (await startOf(request, 100_000)).toString()
      return response.writeHead((await onLogout?.(form)) ?? 200).end()
    }
    traffic.paths.push(request.url ?? '')
    if (request.url?.startsWith('/.well-known/')) await traffic.hold
    if (request.url === '/token') tokenRequests.push(request.headers.authorization ?? '')
    return handle(request, response)
  }
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  return {
    issuer,
    person,
    tampering,
    traffic,
    /** The Authorization headers of requests for tokens. */
    tokenRequests,
    sign,
    /** Follows redirects from an address like a browser, until one leads to another server; resolves to that address. */
    async visit(url: string): Promise<string> {
      const cookies = new Map<string, string>()
      let at = url
      while (at.startsWith(issuer)) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) throw new Error(`${at}: ${response.status} ${await response.text()}`)
        at = new URL(location, at).href
      }
      return at
    },
    /** Ends a session at the provider, which tells the service so. */
    async endSession(sub: string, sid: string): Promise<void> {
      const client = await provider.Client.find(clientId)
      await (
        client as unknown as Record<'backchannelLogout', (sub: string, sid: string) => Promise<unknown>>
      ).backchannelLogout(sub, sid)
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
