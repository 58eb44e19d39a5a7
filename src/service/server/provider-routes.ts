import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import { localPath } from '../../contract/accounts/local-path.ts'
import type { SignInProblem } from '../../contract/accounts/sign-in-problem.ts'
import { hasSession } from '../auth/authenticate.ts'
import { clientOf, cookieOf, isFromOtherSite, ownOrigin, setCookie } from '../auth/client.ts'
import { confirmedEmail, type ProviderClaims } from '../auth/providers/provider-claims.ts'
import { KnownProviders } from '../auth/providers/known-providers.ts'
import { providerClient, type ProviderClient } from '../auth/providers/provider-client.ts'
import { memberWithClaims } from '../auth/providers/provider-member.ts'
import { logOutWithToken } from '../auth/providers/logout-token.ts'
import { attemptMs, openAttempt, sealAttempt, type SignInAttempt } from '../auth/providers/sign-in-attempt.ts'
import type { RateCounts } from '../auth/rate-counts.ts'
import { createRateLimit } from '../auth/rate-limit.ts'
import { hashToken, startSession } from '../auth/sessions.ts'
import { safeText } from '../engines/safe-text.ts'
import { actIn } from '../handlers/audit/acting-in.ts'
import { startOf } from '../http/read-body.ts'
import { removeSecrets } from '../http/remove-secrets.ts'
import type { Services } from '../services.ts'
import {
  findEnabledProvider,
  spendToken,
  type IdentityProviderRow,
} from '../store/accounts/identity-providers.ts'
import { actingNow } from '../store/audit/acting.ts'
import { refuseAtContentOrigin } from './content-origin.ts'

const cookieName = 'sign_in'
const logoutBytesMax = 64 * 1024
/** Characters of a provider's error that are logged. */
const loggedMax = 300

type Needs = Services & { providers: KnownProviders }
type Named = { Params: { provider: string }; Querystring: Record<string, unknown> }

/** The addresses at which browsers sign in with an identity provider, and at which it ends their sessions. */
export function providerRoutes(given: Services, counts: RateCounts): FastifyPluginAsync {
  const services = { ...given, providers: new KnownProviders(given) }
  const { store, config, providers } = services
  const rateLimit = createRateLimit(counts, config.rateLimit)
  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      refuseAtContentOrigin(config, request)
      rateLimit.count(clientOf(request, reply).address)
    })
    app.get<Named>('/sign-in/:provider', async (request, reply) => {
      const target = localPath(request.query['then']) ?? '/'
      const provider = await findEnabledProvider(store, request.params.provider)
      if (!provider) return toLogin(reply, 'unknown', target)
      // Another site must not silently make someone work as whoever it chooses.
      if (isFromOtherSite(request) && (await hasSession(services, request)))
        return toLogin(reply, 'another_site', target)
      return await actIn(request, null, () => begin(services, request, reply, { provider, target }))
    })
    app.get<Named>('/sign-in/:provider/callback', async (request, reply) => {
      const provider = await findEnabledProvider(store, request.params.provider)
      if (!provider) return toLogin(reply, 'unknown', '/')
      return await actIn(request, null, () => finish(services, request, reply, provider))
    })
    app.post<Named>('/sign-in/:provider/backchannel-logout', async (request, reply) => {
      const provider = await findEnabledProvider(store, request.params.provider)
      const form = new URLSearchParams((await startOf(request.raw, logoutBytesMax)).toString())
      try {
        if (!provider) throw new Error('There is no such provider.')
        await logOutWithToken(services, providers, { provider, token: form.get('logout_token') ?? '' })
      } catch (error) {
        logProblem(services, request, provider, error)
        return reply.code(400).send({ error: 'invalid_request' })
      }
      return reply.code(200).send()
    })
  }
}

async function openProvider(services: Needs, provider: IdentityProviderRow): Promise<ProviderClient> {
  return providerClient(services, provider, await services.providers.settingsOf(provider))
}

/** Leads to the login page, which says what went wrong. */
function toLogin(reply: FastifyReply, problem: SignInProblem, target: string): FastifyReply {
  const search = new URLSearchParams([['problem', problem], ...(target === '/' ? [] : [['then', target]])])
  return reply.redirect(`/login?${search.toString()}`)
}

function redirectUri(request: FastifyRequest<Named>, { id }: IdentityProviderRow): string {
  // Without the port that the protocol implies, as providers and browsers write it.
  return new URL(`${ownOrigin(request)}/sign-in/${id}/callback`).href
}

type Beginning = { provider: IdentityProviderRow; target: string }

async function begin(
  services: Needs,
  request: FastifyRequest<Named>,
  reply: FastifyReply,
  { provider, target }: Beginning,
): Promise<FastifyReply> {
  const { secrets, clock } = services
  const client = await openProvider(services, provider).catch((error: unknown) => {
    logProblem(services, request, provider, error)
    return null
  })
  if (!client) return toLogin(reply, 'unreachable', target)
  const attempt: SignInAttempt = {
    provider: provider.id,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    target,
    expires: clock.now() + attemptMs,
  }
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri(request, provider),
    scope: [...new Set(['openid', ...provider.scopes])].join(' '),
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    state: attempt.state,
    nonce: attempt.nonce,
  })
  setCookie(request, reply, cookieName, { value: sealAttempt(secrets, attempt), seconds: attemptMs / 1000 })
  return reply.redirect(url.href)
}

/** Ends a sign-in: starts a session, or says why there is none. An attempt works once, whatever its end. */
async function finish(
  services: Needs,
  request: FastifyRequest<Named>,
  reply: FastifyReply,
  provider: IdentityProviderRow,
): Promise<FastifyReply> {
  const { store, secrets, clock } = services
  const attempt = openAttempt(secrets, cookieOf(request, cookieName), provider.id, clock.now())
  setCookie(request, reply, cookieName, null)
  const refuse = (problem: SignInProblem, target: string, email: string | null = null) => {
    const { actor, address } = actingNow()
    services.refusals.add({
      organizationId: provider.organization_id,
      email,
      action: 'sign_in.refused',
      name: `${provider.name}: ${problem}`,
      acting: { actor, address },
    })
    return toLogin(reply, problem, target)
  }
  // Without its cookie, or with that of another sign-in, a callback was not begun here: nobody is signed in as someone else.
  if (!attempt || request.query['state'] !== attempt.state) return refuse('expired', attempt?.target ?? '/')
  const isFirst = await spendToken(store, hashToken(`state ${attempt.state}`), new Date(attempt.expires))
  if (!isFirst) return refuse('expired', attempt.target)
  const claims = await claimsOf(services, request, { provider, attempt })
  if (typeof claims === 'string') return refuse(claims, attempt.target)
  const member = await memberWithClaims(services, provider, claims)
  if (typeof member === 'string') return refuse(member, attempt.target, confirmedEmail(claims, provider))
  const { user_id, organization_id } = member
  await startSession(services, clientOf(request, reply), {
    user_id,
    organization_id,
    method: 'provider',
    provider: provider.id,
    provider_session: typeof claims['sid'] === 'string' ? claims['sid'].slice(0, 255) : null,
  })
  return reply.redirect(attempt.target)
}

type Ending = { provider: IdentityProviderRow; attempt: SignInAttempt }

/** Exchanges the code of a callback for what the provider says of the person, or returns why that failed. */
async function claimsOf(
  services: Needs,
  request: FastifyRequest<Named>,
  { provider, attempt }: Ending,
): Promise<(ProviderClaims & { sub: string }) | SignInProblem> {
  let problem: SignInProblem = 'unreachable'
  try {
    const client = await openProvider(services, provider)
    problem = 'invalid'
    const url = new URL(redirectUri(request, provider))
    url.search = request.url.split('?').slice(1).join('?')
    const tokens = await oidc.authorizationCodeGrant(client, url, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) return 'invalid'
    return { ...(await userInfo(client, tokens.access_token, claims, provider)), ...claims }
  } catch (error) {
    logProblem(services, request, provider, error)
    return error instanceof oidc.AuthorizationResponseError ? 'cancelled' : problem
  }
}

/** Many providers keep addresses and groups out of their ID tokens. */
async function userInfo(
  client: ProviderClient,
  accessToken: string,
  claims: ProviderClaims & { sub: string },
  { groups_claim }: IdentityProviderRow,
): Promise<ProviderClaims> {
  const isComplete = claims['email'] !== undefined && claims[groups_claim] !== undefined
  if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return {}
  return await oidc.fetchUserInfo(client, accessToken, claims.sub)
}

/** Logs what went wrong at a provider, without what it may repeat of a secret. */
function logProblem(
  { logger, secrets }: Services,
  request: FastifyRequest<Named>,
  provider: IdentityProviderRow | undefined,
  error: unknown,
): void {
  const code = request.query['code']
  const known = [
    ...(provider ? [secrets.open(provider.client_secret)] : []),
    ...(typeof code === 'string' ? [code] : []),
  ]
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
  logger.warn(
    {
      provider: provider?.id,
      reason: safeText(removeSecrets(reason, known), loggedMax),
      requestId: request.id,
    },
    'a request of an identity provider failed',
  )
}
