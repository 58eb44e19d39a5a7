import type { SignIn, SignInResult } from '../../contract/accounts/session.ts'
import type { SignInStep } from '../../contract/accounts/second-factor.ts'
import { call } from './call.ts'

const channelName = 'spool.sign-out'
/** Names of secrets in a fragment: an API key, or a link that works once. */
const secretNames = ['key', 'link'] as const

/** Whether the user has just signed in by a link, with no other way to do so perhaps. */
let cameByLink = false

/** The sign-in that is in progress; null after one that succeeded or if there was none. */
let signingIn: Promise<SignInResult> | null = null

/** Resolves once the sign-in with the page's URL has ended: to the step that asks for a code, if any. @throws as the sign-in did */
export async function signedIn(): Promise<SignInStep | null> {
  const result = await signingIn
  return result && stepIn(result)
}

/** Returns the step that a sign-in still needs. */
export function stepIn(result: SignInResult): SignInStep | null {
  return 'step' in result ? result : null
}

/** Returns, once, whether the user has just signed in by a link. */
export function takeCameByLink(): boolean {
  const came = cameByLink
  cameByLink = false
  return came
}

/** Signs in: the service sets a cookie, which this page cannot read. @throws ApiProblem with status 401 if it is refused */
export async function signIn(body: SignIn): Promise<SignInResult> {
  signingIn = null
  return call('signIn', { body })
}

/** Returns what a URL's fragment (`#key=…` or `#link=…`) signs in with, or null. */
export function secretInFragment(fragment: string): SignIn | null {
  const params = new URLSearchParams(fragment.replace(/^#/, ''))
  const name = secretNames.find((known) => params.get(known))
  return name ? ({ [name]: params.get(name) } as SignIn) : null
}

/** Signs in with the secret in the page's URL, if any, and removes it from the URL. Returns whether there was one. */
export function signInFromUrl(): boolean {
  const secret = secretInFragment(location.hash)
  if (secret === null) return false
  history.replaceState(history.state, '', location.pathname + location.search)
  cameByLink = 'link' in secret
  signingIn = call('signIn', { body: secret })
  // `signedIn` reports the error.
  signingIn.catch(() => undefined)
  return true
}

/** Signs out the other tabs, which share the session. */
export function signOutOtherTabs(): void {
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have no target origin
  channel.postMessage(null)
  channel.close()
}

/** Calls `signOut` when another tab signs out. */
export function watchSignOut(signOut: () => void): void {
  new BroadcastChannel(channelName).addEventListener('message', signOut)
}
