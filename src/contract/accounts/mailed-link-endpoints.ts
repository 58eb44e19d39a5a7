import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Email, Password } from './session.ts'

const token = z.string().min(1).max(200)

/** What people do with links that the service sends to them. */
// prettier-ignore
export const mailedLinkEndpoints = {
  requestPasswordReset: { method: 'POST', path: '/api/password_resets/',     scope: null, open: true, body: z.strictObject({ email: Email }), status: 204, response: z.null(), summary: 'Send a link to set a new password, if the address has an account' },
  resetPassword:        { method: 'POST', path: '/api/password_resets/use/', scope: null, open: true, body: z.strictObject({ token, password: Password }), status: 204, response: z.null(), summary: 'Set a new password with such a link: all sessions end' },
  confirmEmail:         { method: 'POST', path: '/api/new_addresses/use/',   scope: null, open: true, body: z.strictObject({ token }), status: 200, response: z.object({ email: z.string() }), summary: 'Confirm the new e-mail address of a user with the link sent to it' },
} as const satisfies Record<string, Endpoint>
