import { z } from 'zod'
import { Instant } from '../datetime.ts'

/** Kinds of codes that complete a sign-in: one of an authenticator app, or one of the codes to recover. */
export const secondFactors = ['app', 'recovery_code'] as const
export type SecondFactorKind = (typeof secondFactors)[number]

/** As people type it: white space, hyphens and case do not matter. */
export const Code = z.string().min(1).max(40)

/** What a sign-in returns instead of a session if the account has a second factor. */
export const SignInStep = z.object({
  /** Sent back with a code. It works once, and ends after five wrong codes. */
  step: z.string(),
  expires_at: Instant,
})
export type SignInStep = z.infer<typeof SignInStep>

export const SecondFactor = z.object({
  enabled: z.boolean(),
  /** Number of codes that are left. */
  recovery_codes: z.int(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** A secret for an authenticator app, which takes effect once a code of it is sent. */
export const NewSecondFactor = z.object({
  /** Base32. */
  secret: z.string(),
  /** `otpauth:` URL with the secret, for a QR code. */
  url: z.string(),
})
export type NewSecondFactor = z.infer<typeof NewSecondFactor>

export const SecondFactorCode = z.strictObject({ code: Code })

/** Only this response contains the codes. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>
