import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { plainName } from '../plain-text.ts'

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Host name of the service at which it works. */
  host: z.string(),
  created_at: Instant,
  last_used_at: Instant.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** What a page passes to the browser's WebAuthn, and the token to send back with its answer within five minutes. */
export const PasskeyRequest = z.object({
  token: z.string(),
  /** Options as in `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON`. */
  options: z.looseObject({ challenge: z.string() }),
})

const Token = z.string().min(1).max(200)
const credentialIdLengthMax = 1400
const CredentialId = base64url(credentialIdLengthMax)

/** The browser's proof that a person has a passkey, as `PublicKeyCredential.toJSON` returns it. */
export const PasskeyAnswer = z.strictObject({
  token: Token,
  credential: credentialWith({
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).optional(),
  }),
})
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

/** A new passkey of the browser, as `PublicKeyCredential.toJSON` returns it. */
export const PasskeyCreate = z.strictObject({
  name: plainName(100),
  token: Token,
  credential: credentialWith({
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type PasskeyCreate = z.infer<typeof PasskeyCreate>

export const PasskeyUpdate = z.strictObject({ name: plainName(100) })

/** A credential with these parts of the browser's response. */
function credentialWith<Parts extends z.ZodRawShape>(parts: Parts) {
  return z.object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64url(4000), ...parts }),
  })
}

function base64url(lengthMax: number) {
  return z
    .string()
    .max(lengthMax)
    .regex(/^[\w-]*$/)
}
