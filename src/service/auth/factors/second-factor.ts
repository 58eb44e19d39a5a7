import { createHash, randomBytes } from 'node:crypto'
import type { NewSecondFactor, SecondFactorKind } from '../../../contract/accounts/second-factor.ts'
import type { SecretBox } from '../../engines/secret-box.ts'
import type { Services } from '../../services.ts'
import {
  codeTriesMax,
  codeTriesMs,
  storeRecoveryCodes,
  takeRecoveryCode,
  spendTimeStep,
} from '../../store/accounts/second-factors.ts'
import type { User } from '../../store/accounts/users.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { throttled } from '../rate-limit.ts'
import { base32, timeStepOfCode, totpUrl } from './totp.ts'

/** Bytes of a secret, as RFC 4226 recommends, and of a recovery code; base32 has groups of five bytes. */
const secretLength = 20
const recoveryLength = 10
const recoveryCodesCount = 10

export type GivenCode = { code: string } | { recovery_code: string }

/** Returns a new secret of an app: sealed, and as the app takes it. */
export function newSecret(secrets: SecretBox, { email }: Pick<User, 'email'>) {
  const bytes = randomBytes(secretLength)
  const secret = base32(bytes)
  const shown: NewSecondFactor = { secret, url: totpUrl(secret, email) }
  return { sealed: secrets.seal(bytes.toString('base64url')), shown }
}

/** Returns the time step of a code of a sealed secret that is right now, or null. */
export function timeStepOfSealed(
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  sealed: Buffer,
  code: string,
): number | null {
  return timeStepOfCode(Buffer.from(secrets.open(sealed), 'base64url'), code, clock.now())
}

/** Uses up a code of a user. Returns its kind; null if it is wrong or has been used. */
export async function spendCode(
  services: Pick<Services, 'store' | 'secrets' | 'clock'>,
  user: User,
  given: GivenCode,
): Promise<SecondFactorKind | null> {
  const { store } = services
  if ('recovery_code' in given) {
    const hash = hashRecoveryCode(user.id, given.recovery_code)
    return (await takeRecoveryCode(store, user, hash)) ? 'recovery_code' : null
  }
  const step = user.totp_secret && timeStepOfSealed(services, user.totp_secret, given.code)
  return step !== null && (await spendTimeStep(store, user, step)) ? 'app' : null
}

/** Replaces the recovery codes of a user, of which only hashes are stored, and returns the new ones. */
export async function replaceCodes(transaction: StoreTransaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesCount }, () =>
    base32(randomBytes(recoveryLength))
      .toLowerCase()
      .replaceAll(/.{4}(?=.)/g, '$&-'),
  )
  const hashes = codes.map((code) => hashRecoveryCode(userId, code))
  await storeRecoveryCodes(transaction, userId, hashes)
  return codes
}

/** A code has 80 random bits, so that its hash cannot be reversed. */
function hashRecoveryCode(userId: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return createHash('sha256').update(`${userId} ${plain}`).digest()
}

/** Refuses all codes of a user for a while after too many wrong ones. @throws ApiError 429 */
export function assertFewWrongCodes({ code_tries, code_tries_since }: User, now: number): void {
  if (!code_tries_since || code_tries < codeTriesMax) return
  if (now < code_tries_since.getTime() + codeTriesMs) throw tooManyCodes(code_tries_since.getTime(), now)
}

export function tooManyCodes(since: number, now: number) {
  const seconds = Math.max(1, Math.ceil((since + codeTriesMs - now) / 1000))
  return throttled(seconds, 'Too many wrong codes. Sign in with a passkey, or wait.')
}
