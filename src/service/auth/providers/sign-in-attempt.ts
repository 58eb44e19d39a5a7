import { z } from 'zod'
import type { SecretBox } from '../../engines/secret-box.ts'

/** How long (ms) signing in at a provider may take. */
export const attemptMs = 10 * 60_000

const Attempt = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Path to open afterwards. */
  target: z.string(),
  expires: z.number(),
})
/** A sign-in that began in a browser, which keeps it in a cookie. */
export type SignInAttempt = z.infer<typeof Attempt>

/** Seals an attempt as the value of a cookie. */
export function sealAttempt(secrets: SecretBox, attempt: SignInAttempt): string {
  return secrets.seal(JSON.stringify({ for: 'sign-in', ...attempt })).toString('base64url')
}

/** Returns the attempt in a cookie if it is of this provider and has not expired; null for any other value. */
export function openAttempt(
  secrets: SecretBox,
  value: string | null,
  provider: string,
  now: number,
): SignInAttempt | null {
  if (value === null) return null
  const opened = Sealed.safeParse(openedJson(secrets, value))
  return opened.success && opened.data.provider === provider && now < opened.data.expires ? opened.data : null
}

/** Not just any sealed value of this service. */
const Sealed = Attempt.extend({ for: z.literal('sign-in') })

function openedJson(secrets: SecretBox, value: string): unknown {
  try {
    return JSON.parse(secrets.open(Buffer.from(value, 'base64url')))
  } catch {
    return null
  }
}
