import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { PasskeyAnswer, PasskeyCreate } from '../../../contract/accounts/passkey.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import {
  countPasskeyUse,
  passkeysOf,
  takeChallenge,
  type PasskeyChallenge,
  type PasskeyRow,
} from '../../store/accounts/passkeys.ts'
import type { User } from '../../store/accounts/users.ts'
import { findRow, insertRow } from '../../store/schema/rows.ts'
import type { Client } from '../client.ts'
import { hashToken, newToken } from '../sessions.ts'

/** Time (ms) in which a browser answers a challenge. */
const challengeMs = 5 * 60_000
/** Kinds of keys, by their numbers in COSE: ES256, EdDSA and RS256. */
const algorithms = [-7, -8, -257]

type Needs = Pick<Services, 'store' | 'clock' | 'config'>
/** For what a challenge is, and in which session; null before a sign-in. */
type Use = Pick<PasskeyChallenge, 'purpose' | 'session_id'>

/** A request for the browser, and the token that its answer contains. */
type Request<Options> = { token: string; options: Options & { challenge: string } }

const expired = 'This took longer than 5 minutes or was used before. Try again.'
const unverified = 'The passkey could not be verified. Try again, or sign in another way.'

/** Asks the browser for a passkey: any for this host, or one of the user's. */
export async function requestPasskey(
  services: Needs,
  client: Client,
  use: Use,
  user: Pick<User, 'id'> | null,
): Promise<Request<object>> {
  const host = hostOf(services, client)
  const { generateAuthenticationOptions } = await webAuthn()
  const { token, challenge } = await newChallenge(services, use)
  const known = user ? await passkeysAt(services, user, host) : []
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge,
    timeout: challengeMs,
    userVerification: 'required',
    allowCredentials: known.map(described),
  })
  return { token, options }
}

/** Asks the browser for a new passkey, which it can find without the user's address. */
export async function requestNewPasskey(
  services: Needs,
  client: Client,
  use: Use,
  { id, email, first_name }: User,
): Promise<Request<object>> {
  const host = hostOf(services, client)
  const { generateRegistrationOptions } = await webAuthn()
  const { token, challenge } = await newChallenge(services, use)
  const options = await generateRegistrationOptions({
    rpName: 'Spool',
    rpID: host,
    userID: handleOf(id),
    userName: email,
    userDisplayName: first_name,
    challenge,
    timeout: challengeMs,
    supportedAlgorithmIDs: algorithms,
    attestationType: 'none',
    excludeCredentials: (await passkeysAt(services, { id }, host)).map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { token, options }
}

/** Returns what is stored of a new passkey. @throws ApiError 400 if the answer is not to a challenge of this use */
export async function verifyNewPasskey(
  services: Needs,
  client: Client,
  use: Use,
  { token, credential }: PasskeyCreate,
): Promise<Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'host'>> {
  const host = hostOf(services, client)
  const challenge = await answeredChallenge(services, use, token)
  if (challenge === null) throw invalidInput(expired)
  const { verifyRegistrationResponse } = await webAuthn()
  const response = { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: originOf(services, client),
    expectedRPID: host,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null)
  if (!verified?.verified)
    throw invalidInput('The new passkey could not be verified. Try again, or use another device.')
  const { id, publicKey, counter } = verified.registrationInfo.credential
  const { transports = [] } = credential.response
  return { credential_id: id, public_key: Buffer.from(publicKey), counter, transports, host }
}

/** Returns the passkey of an answer to a challenge of this use, which is used up, or why there is none. */
export async function verifyPasskey(
  services: Needs,
  client: Client,
  use: Use,
  { token, credential }: PasskeyAnswer,
): Promise<PasskeyRow | string> {
  const { store, clock } = services
  const host = hostOf(services, client)
  const challenge = await answeredChallenge(services, use, token)
  if (challenge === null) return expired
  const passkey = await findRow(store, 'passkeys', { credential_id: credential.id })
  if (!passkey)
    return 'The service does not know this passkey. It may have been removed: sign in another way.'
  const { userHandle } = credential.response
  const isOwn = userHandle === undefined || userHandle === encoded(handleOf(passkey.user_id))
  if (!isOwn || passkey.host !== host) return unverified
  const { verifyAuthenticationResponse } = await webAuthn()
  const response = { ...credential, clientExtensionResults: {} } as AuthenticationResponseJSON
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: originOf(services, client),
    expectedRPID: host,
    credential: storedCredential(passkey),
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) return unverified
  const { newCounter } = verified.authenticationInfo
  const now = new Date(clock.now())
  return (await countPasskeyUse(store, passkey, newCounter, now)) ? passkey : unverified
}

/** The library is loaded when it is first needed, since few requests need it. */
function webAuthn() {
  return import('@simplewebauthn/server')
}

/** Returns the origin at which passkeys work: if none is set, that of the request, whose sender chooses it. */
function originOf({ config }: Needs, client: Client): string {
  return config.origin ?? client.origin
}

/** Returns the host name to which passkeys are bound. @throws ApiError 400 at an IP address, where browsers have none */
function hostOf(services: Needs, client: Client): string {
  const origin = originOf(services, client)
  const url = URL.canParse(origin) ? new URL(origin) : null
  if (url && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0) return url.hostname
  const port = url?.port ? `:${url.port}` : ''
  throw invalidInput(
    `Passkeys need a host name instead of an IP address, such as http://localhost${port} on the machine of the service.`,
  )
}

/** The challenge is the hash of the token, so that a proof alone, without the page that asked for it, is worth nothing. */
async function newChallenge({ store, clock }: Needs, use: Use) {
  const token = newToken()
  const hash = hashToken(token)
  await insertRow(store, 'passkey_challenges', {
    hash,
    ...use,
    expires_at: new Date(clock.now() + challengeMs),
  })
  return { token, challenge: new Uint8Array(hash) }
}

async function answeredChallenge({ store, clock }: Needs, use: Use, token: string): Promise<string | null> {
  const taken = await takeChallenge(store, { hash: hashToken(token), ...use }, new Date(clock.now()))
  return taken ? encoded(taken.hash) : null
}

async function passkeysAt({ store }: Needs, { id }: Pick<User, 'id'>, host: string): Promise<PasskeyRow[]> {
  return (await passkeysOf(store, id)).filter((passkey) => passkey.host === host)
}

function described({ credential_id: id, transports }: PasskeyRow) {
  return { id, transports: transports as AuthenticatorTransport[] }
}

function storedCredential({ credential_id, public_key, counter }: PasskeyRow): WebAuthnCredential {
  return { id: credential_id, publicKey: new Uint8Array(public_key), counter }
}

/** Returns the bytes by which a passkey names its user. */
function handleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
}

function encoded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
