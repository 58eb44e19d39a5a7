import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { call } from './call.ts'

/** Returns why this page cannot use passkeys, and what to do; null if it can. */
export function passkeyProblem(): string | null {
  const { hostname, port } = location
  if (/^[\d.]+$|^\[/.test(hostname))
    return hostname === '127.0.0.1' || hostname === '[::1]'
      ? `Passkeys need a host name: open http://localhost${port && `:${port}`} instead.`
      : 'Passkeys need a host name: open the service by its name instead of its IP address.'
  if (!isSecureContext) return 'Passkeys need an encrypted connection (https).'
  return 'PublicKeyCredential' in window ? null : 'This browser does not support passkeys.'
}

/** Signs in with a passkey that the user chooses, in a dialog of the browser or, with `autofill`, among a field's suggestions. */
export async function passkeyForSignIn({ autofill = false } = {}) {
  const { token, options } = await call('beginPasskeySignIn', {})
  return answered(token, options as PublicKeyCredentialRequestOptionsJSON, autofill)
}

export async function passkeyForConfirmation() {
  const { token, options } = await call('beginPasskeyConfirmation', {})
  return answered(token, options as PublicKeyCredentialRequestOptionsJSON, false)
}

/** Adds a passkey of this browser to the user's account. */
export async function addPasskey(name: string) {
  const { token, options } = await call('beginPasskey', {})
  const { startRegistration } = await library()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, type, response } = await startRegistration({ optionsJSON }).catch(explain)
  const { clientDataJSON, attestationObject, transports = [] } = response
  const credential = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
  return call('createPasskey', { body: { name, token, credential } })
}

/** Whether the browser suggests passkeys in a field of this page. */
export async function canSuggestPasskeys(): Promise<boolean> {
  if (passkeyProblem() !== null || !document.querySelector('input[autocomplete~=webauthn]')) return false
  return (await library()).browserSupportsWebAuthnAutofill()
}

/** Ends the suggestions. */
export async function stopSuggesting(): Promise<void> {
  const { WebAuthnAbortService } = await library()
  WebAuthnAbortService.cancelCeremony()
}

/** The user or the page has ended the browser's question. */
export class PasskeyUnused extends Error {
  override readonly name = 'PasskeyUnused'
}

function library() {
  return import('@simplewebauthn/browser')
}

async function answered(
  token: string,
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  useBrowserAutofill: boolean,
) {
  const { startAuthentication } = await library()
  const started = startAuthentication({ optionsJSON, useBrowserAutofill })
  const { id, rawId, type, response } = await started.catch(explain)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const proof = { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
  return { token, credential: { id, rawId, type, response: proof } }
}

/** Words an error of the browser. */
function explain(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError')
    throw new PasskeyUnused(
      "No passkey was used: you closed the browser's dialog, or it timed out. Try again.",
      { cause },
    )
  if (name === 'InvalidStateError')
    throw new Error('This device already has a passkey for your account.', { cause })
  throw new Error('The browser could not use the passkey. Try again, or sign in another way.', { cause })
}
