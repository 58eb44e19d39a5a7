import { createAtom } from '@tanstack/react-store'
import type { User } from '../../contract/accounts/user.ts'
import { tabChannel } from './tab-channel.ts'

/** Tells the other tabs that the session, which they share, has changed. */
export const sessionChanges = tabChannel('spool.session-changed')

/** Whom and which organization this page shows; null before it shows any. */
let shown: User | null = null

/** Number of signs that the session has changed since the page loaded, such as a switch or a sign-in in another tab. */
export const sessionElsewhere = createAtom(0)

/** Lets the page find out whether the session still is the one that it shows. */
export function doubtSession(): void {
  if (shown) sessionElsewhere.set((count) => count + 1)
}

export function shownUser(): User | null {
  return shown
}

export function noteShownUser(user: User): void {
  shown = user
}

/** A page is of another organization of the user than the one in which their session works. */
export class OtherOrganization extends Error {
  override readonly name = 'OtherOrganization'
  readonly organization: { id: string; name: string }

  constructor(organization: { id: string; name: string }) {
    super(`This page belongs to ${organization.name}.`)
    this.organization = organization
  }
}
