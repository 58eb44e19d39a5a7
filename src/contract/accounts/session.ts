import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { plainName } from '../plain-text.ts'
import { passwordLength } from './password-length.ts'
import { signInMethods } from './sign-in-method.ts'

/** A signed-in browser of a user. */
export const Session = z.object({
  id: z.string(),
  method: z.enum(signInMethods),
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

export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, { error: 'Enter an e-mail address, such as ada@company.example.' })
/** Which passwords are accepted is decided when one is chosen. */
export const Password = z.string().max(passwordLength.max)

/** Ways to sign in: a password, a link that works once, or an API key, which is exchanged for a session with its scopes. */
export const SignIn = z.union(
  [
    z.strictObject({ email: Email, password: Password }),
    z.strictObject({ link: z.string().min(1).max(200) }),
    z.strictObject({ key: z.string().min(1).max(500) }),
  ],
  { error: 'Send an email with a password, a link or a key.' },
)
export type SignIn = z.infer<typeof SignIn>

/** How the login page can sign in. */
export const SignInOptions = z.object({
  /** Whether anyone has a password. */
  passwords: z.boolean(),
  /** Identity providers, whose sign-in begins at `/sign-in/:id`. */
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Whether the service sends e-mails, such as links to set a new password. */
  sends_mail: z.boolean(),
})
export type SignInOptions = z.infer<typeof SignInOptions>

/** The organization of the user in which a session works. */
export const SessionUpdate = z.strictObject({ organization_id: z.string().max(100) })

export const ConfirmSession = z.strictObject({ password: Password })

export const UserUpdate = z.strictObject({
  first_name: plainName(100).optional(),
  email: Email.optional(),
  password: Password.optional(),
})
