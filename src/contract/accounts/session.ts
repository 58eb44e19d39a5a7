import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { plainName } from '../plain-text.ts'
import { PasskeyAnswer } from './passkey.ts'
import { passwordLength } from './password-length.ts'
import { Code, secondFactors, SignInStep } from './second-factor.ts'
import { signInMethods } from './sign-in-method.ts'

/** A signed-in browser of a user. */
export const Session = z.object({
  id: z.string(),
  method: z.enum(signInMethods),
  /** Kind of the code that completed the sign-in. */
  second_factor: z.enum(secondFactors).nullable(),
  /** Browser and system at the last use, such as "Firefox on Linux", and the address of the client then. */
  device: z.string(),
  address: z.string(),
  created_at: Instant,
  last_used_at: Instant,
  /** When it ends unless it is used again. */
  expires_at: Instant,
  is_current: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** An address without what ends it, or begins another, in the header of an e-mail. */
export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@,;:()[\]\\<>"\p{Cc}]+@[^\s@,;:()[\]\\<>"\p{Cc}]+$/u, {
    error: 'Enter an e-mail address, such as ada@company.example.',
  })
/** Accounts of earlier versions can have addresses with more characters. */
const EmailOfAccount = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@\0]+@[^\s@\0]+$/u, { error: 'Enter the e-mail address of your account.' })
/** Which passwords are accepted is decided when one is chosen. */
export const Password = z.string().max(passwordLength.max)

const unless_signed_in = z
  .literal(true)
  .optional()
  .describe(
    'Refuses the sign-in (409) if the browser is signed in already, so that the user can be asked first.',
  )

/**
 * Ways to sign in: a password, a link that works once, a passkey, or an API key, which is exchanged for a session with its
 * scopes. A code completes a sign-in that returned a step.
 */
export const SignIn = z.union(
  [
    z.strictObject({ email: EmailOfAccount, password: Password }),
    z.strictObject({ link: z.string().min(1).max(200), unless_signed_in }),
    z.strictObject({ key: z.string().min(1).max(500), unless_signed_in }),
    z.strictObject({ passkey: PasskeyAnswer }),
    z.strictObject({ step: z.string().min(1).max(200), code: Code }),
    z.strictObject({ step: z.string().min(1).max(200), recovery_code: Code }),
  ],
  { error: 'Send an email with a password, a link, a key, a passkey, or a step with a code.' },
)
export type SignIn = z.infer<typeof SignIn>

/** A session or, if the account has a second factor, the step that asks for it. */
export const SignInResult = z.union([Session, SignInStep])
export type SignInResult = z.infer<typeof SignInResult>

/** How the login page can sign in. */
export const SignInOptions = z.object({
  /** Whether anyone has a password. */
  passwords: z.boolean(),
  /** Whether anyone has a passkey. */
  passkeys: z.boolean(),
  /** Identity providers, whose sign-in begins at `/sign-in/:id`. */
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Whether the service sends e-mails, such as links to set a new password. */
  sends_mail: z.boolean(),
})
export type SignInOptions = z.infer<typeof SignInOptions>

/** The organization of the user in which a session works. */
export const SessionUpdate = z.strictObject({ organization_id: z.string().max(100) })

export const ConfirmSession = z.union(
  [z.strictObject({ password: Password }), z.strictObject({ passkey: PasskeyAnswer })],
  { error: 'Send your password or a passkey.' },
)
export type ConfirmSession = z.infer<typeof ConfirmSession>

export const UserUpdate = z.strictObject({
  first_name: plainName(100).optional(),
  email: Email.optional(),
  password: Password.optional(),
})
