import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Passkey, PasskeyCreate, PasskeyRequest, PasskeyUpdate } from './passkey.ts'
import { NewSecondFactor, RecoveryCodes, SecondFactor, SecondFactorCode } from './second-factor.ts'

const factor = '/api/users/@me/second_factor/'
const passkeys = '/api/users/@me/passkeys/'
const passkey = { passkey: 'id' } as const

/** The endpoints with which people manage their second factor and their passkeys, and begin to use a passkey. */
// prettier-ignore
export const credentialEndpoints = {
  beginPasskeySignIn:       { method: 'POST',   path: '/api/sign_in/passkey/',                   scope: null, open: true, status: 200, response: PasskeyRequest, summary: 'Begin to sign in with a passkey' },
  beginPasskeyConfirmation: { method: 'POST',   path: '/api/sessions/@current/confirm/passkey/', scope: null, status: 200, response: PasskeyRequest, summary: 'Begin to confirm with a passkey that the user is present' },
  getSecondFactor:          { method: 'GET',    path: factor,                    scope: null, status: 200, response: SecondFactor, summary: 'Tell whether the user has a second factor' },
  beginSecondFactor:        { method: 'POST',   path: factor,                    scope: null, confirm: true, status: 201, response: NewSecondFactor, summary: 'Begin to set up an authenticator app' },
  finishSecondFactor:       { method: 'POST',   path: `${factor}confirm/`,       scope: null, confirm: true, body: SecondFactorCode, status: 200, response: RecoveryCodes, summary: 'Turn on the second factor with a code from the authenticator app' },
  replaceRecoveryCodes:     { method: 'POST',   path: `${factor}recovery_codes/`, scope: null, confirm: true, status: 201, response: RecoveryCodes, summary: 'Replace the recovery codes' },
  deleteSecondFactor:       { method: 'DELETE', path: factor,                    scope: null, confirm: true, status: 204, response: z.null(), summary: 'Turn off the second factor' },
  listPasskeys:             { method: 'GET',    path: passkeys,                  scope: null, status: 200, response: z.array(Passkey), summary: 'List the passkeys of the user' },
  beginPasskey:             { method: 'POST',   path: `${passkeys}options/`,     scope: null, confirm: true, status: 200, response: PasskeyRequest, summary: 'Begin to add a passkey' },
  createPasskey:            { method: 'POST',   path: passkeys,                  scope: null, confirm: true, body: PasskeyCreate, status: 201, response: Passkey, summary: 'Add a passkey' },
  updatePasskey:            { method: 'PATCH',  path: `${passkeys}:id/`,         loads: passkey, scope: null, confirm: true, body: PasskeyUpdate, status: 200, response: Passkey, summary: 'Rename a passkey' },
  deletePasskey:            { method: 'DELETE', path: `${passkeys}:id/`,         loads: passkey, scope: null, confirm: true, status: 204, response: z.null(), summary: 'Remove a passkey' },
} as const satisfies Record<string, Endpoint>
