import { createAtom } from '@tanstack/react-store'
import type { User } from '../../contract/accounts/user.ts'
import type { SignIn, SignInResult } from '../../contract/accounts/session.ts'
import type { SignInStep } from '../../contract/accounts/second-factor.ts'
import { call } from './call.ts'
import { ApiProblem, isStatus } from './problem.ts'
import { sessionChanges } from './shown-session.ts'
import { tabChannel } from './tab-channel.ts'

/** Signs out the other tabs, which share the session. */
export const signOuts = tabChannel('spool.sign-out')

/** What a URL's fragment signs in with: an API key, or a link that works once. */
type FragmentSecret = { key: string } | { link: string }

const secretNames = ['key', 'link'] as const

/** Whether the user has just signed in by a link, with no other way to do so perhaps. */
let cameByLink = false

/** The last attempt to sign in with the page's URL; null if there was none, or after another sign-in. */
let signingIn: Promise<SignInResult | null> | null = null

/** Makes another attempt, if the last one failed without a refusal. Only this function has the secret, which the URL no longer has. */
let tryAgain: (() => void) | null = null

/** A URL would sign in as someone else: `other`, or null if only the service knows whose link it is. */
type SignInQuestion = { user: User; other: User | null; answer: (isWanted: boolean) => void }

/** The open question whether to sign in with the page's URL, which a dialog shows; null without one. */
export const signInQuestion = createAtom<SignInQuestion | null>(null)

/** Resolves once the sign-in with the page's URL has ended: to the step that asks for a code, if any. @throws as the sign-in did */
export async function signedIn(): Promise<SignInStep | null> {
  const result = await signingIn
  return result && stepIn(result)
}

/** Tries again to sign in with the page's URL, unless that has succeeded, been refused or been forgotten. */
export function retrySignIn(): void {
  tryAgain?.()
}

/** Forgets the secret of the page's URL. */
export function forgetUrlSignIn(): void {
  signingIn = null
  tryAgain = null
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
  forgetUrlSignIn()
  return call('signIn', { body })
}

/** Returns what a URL's fragment (`#key=…` or `#link=…`) signs in with, or null. */
export function secretInFragment(fragment: string): FragmentSecret | null {
  const params = new URLSearchParams(fragment.replace(/^#/, ''))
  const name = secretNames.find((known) => params.get(known))
  return name ? ({ [name]: params.get(name) } as FragmentSecret) : null
}

/**
 * Signs in with the secret in the page's URL, if any, and removes it from the URL. Someone who is signed in as another is asked
 * first: a link must not silently let them work in the account of whoever sent it. Resolves to whether the session has changed.
 */
export function signInFromUrl(): Promise<boolean> {
  const secret = secretInFragment(location.hash)
  if (secret === null) return Promise.resolve(false)
  history.replaceState(history.state, '', location.pathname + location.search)
  const isOther = attemptSignIn(secret).then((result) => result !== null)
  // `signedIn` reports the error.
  isOther.catch(() => undefined)
  return isOther
}

function attemptSignIn(secret: FragmentSecret): Promise<SignInResult | null> {
  const attempt = signInIfWanted(secret)
  signingIn = attempt
  tryAgain = null
  attempt.catch((error: unknown) => {
    const isRefused = error instanceof ApiProblem && error.status < 500 && error.status !== 429
    if (signingIn === attempt && !isRefused) tryAgain = () => void attemptSignIn(secret)
  })
  return attempt
}

async function signInIfWanted(secret: FragmentSecret): Promise<SignInResult | null> {
  const body = { ...secret, unless_signed_in: true } as const
  const signedIn = await call('signIn', { body }).catch(nullIf(409))
  const result = signedIn ?? (await replaceSession(secret))
  if (!result) return null
  cameByLink = 'link' in secret
  sessionChanges.post()
  return result
}

/** Signs in although there is a session, if it has ended since or its user wants that; null otherwise. */
async function replaceSession(secret: FragmentSecret): Promise<SignInResult | null> {
  const user = await call('getUser', {}).catch(nullIf(401))
  return user && !(await isWanted(user, secret)) ? null : call('signIn', { body: secret })
}

async function isWanted(user: User, secret: FragmentSecret): Promise<boolean> {
  const other = 'key' in secret ? await call('getUser', {}, { key: secret.key }).catch(nullIf(401)) : null
  if (other && other.key?.id === user.key?.id) return false
  return new Promise((resolve) => {
    const answer = (wanted: boolean) => {
      signInQuestion.set(() => null)
      resolve(wanted)
    }
    signInQuestion.set(() => ({ user, other, answer }))
  })
}

/** Returns a handler of errors that returns null if the service answered with this status. */
function nullIf(status: number): (error: unknown) => null {
  return (error) => {
    if (isStatus(error, status)) return null
    throw error
  }
}
