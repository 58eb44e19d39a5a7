import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import {
  endProviderSessions,
  spendToken,
  type IdentityProviderRow,
} from '../../store/accounts/identity-providers.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { findRow } from '../../store/schema/rows.ts'
import { hashToken } from '../sessions.ts'
import { keptMs, type KnownProviders } from './known-providers.ts'
import { clockToleranceSeconds } from './provider-client.ts'

/** Seconds after which a logout token is refused, besides the difference of the clocks. */
const ageSecondsMax = 300
/** Algorithms of providers' own keys: a shared secret or none signs nothing. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const event = 'http://schemas.openid.net/event/backchannel-logout'

const Claims = z
  .object({
    jti: z.string().min(1).max(500),
    iat: z.number(),
    sub: z.string().max(255).optional(),
    sid: z.string().max(255).optional(),
    events: z.object({ [event]: z.record(z.string(), z.unknown()) }),
    // An ID token has one, and must not end a session.
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/**
 * Ends the sessions that a provider's logout token names (OpenID Connect Back-Channel Logout 1.0).
 * @throws if the token is not a new one that the provider signed for this service.
 */
export async function logOutWithToken(
  { store, clock }: Services,
  providers: KnownProviders,
  { provider, token }: { provider: IdentityProviderRow; token: string },
): Promise<void> {
  // A token for others causes no request.
  if (decodeJwt(token).iss !== provider.issuer) throw new Error('The token is not from this provider.')
  const now = clock.now()
  const verify = async (maxAgeMs: number) => {
    const { server, keys } = await providers.settingsOf(provider, maxAgeMs)
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: server.issuer,
      audience: provider.client_id,
      algorithms,
      currentDate: new Date(now),
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: ageSecondsMax,
    })
    return payload
  }
  const payload = await verify(keptMs.longest).catch((error: unknown): Promise<JWTPayload> => {
    if (error instanceof errors.JWKSNoMatchingKey) return verify(keptMs.shortest)
    throw error
  })
  const { jti, sub, sid } = Claims.parse(payload)
  const lifeMs = (ageSecondsMax + 2 * clockToleranceSeconds) * 1000
  if (!(await spendToken(store, hashToken(`logout ${provider.id} ${jti}`), new Date(now + lifeMs))))
    throw new Error('The token was used before.')
  await store.transaction().execute(async (transaction) => {
    const identity =
      sub === undefined
        ? undefined
        : await findRow(transaction, 'user_identities', { provider: provider.id, subject: sub })
    if (sub !== undefined && !identity) return
    const ended = await endProviderSessions(transaction, provider, {
      ...(identity && { user_id: identity.user_id }),
      ...(sid !== undefined && { provider_session: sid }),
    })
    for (const { id, device, user_id } of ended)
      await audit(transaction, {
        organizationId: provider.organization_id,
        action: 'session.ended',
        at: new Date(now),
        object: { id, name: device },
        after: { member: user_id, by: provider.id },
      })
  })
}
