import { sql } from 'kysely'
import type { Store } from '../store/schema/database.ts'
import { findRow, insertRow } from '../store/schema/rows.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import type { UserToken } from '../store/accounts/user-tokens.ts'
import type { Member } from '../store/accounts/users.ts'
import { hashToken, newToken } from './sessions.ts'

const originName = 'origin'

/** Time (ms) in which a link can be used. */
const linkMs = 24 * 3_600_000

/** Returns a URL that signs in a browser; the dashboard removes the key from its address bar. */
export function signInUrl(origin: string, apiKey: string): string {
  return `${origin}/#key=${apiKey}`
}

/**
 * Returns a URL that signs in a member once, within a day. It names localhost, because passkeys work with host names only.
 * @param purpose whether it asks for a code if the member has a second factor
 */
export async function createSignInLink(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  origin: string,
  { user_id, organization_id }: Pick<Member, 'user_id' | 'organization_id'>,
  purpose: Extract<UserToken['purpose'], 'sign in' | 'sign in without a code'> = 'sign in',
): Promise<string> {
  const token = newToken()
  await insertRow(store, 'user_tokens', {
    hash: hashToken(token),
    user_id,
    organization_id,
    purpose,
    email: null,
    expires_at: new Date(clock.now() + linkMs),
  })
  return `${origin.replace('//127.0.0.1:', '//localhost:')}/#link=${token}`
}

/** Stores the origin at which the service was last started, so that the admin command can link to it. */
export async function storeOrigin(store: Store, origin: string): Promise<void> {
  await sql`INSERT INTO installation (name, value) VALUES (${originName}, ${origin})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(store)
}

export async function storedOrigin(store: Store): Promise<string | null> {
  return (await findRow(store, 'installation', { name: originName }))?.value ?? null
}

/**
 * Returns the origin to which links in messages lead: the one that is configured, or where the service listens. Never that of a
 * request, whose sender chooses it.
 */
export async function linkOrigin({ store, config }: { store: Store; config: Config }): Promise<string> {
  return config.origin ?? (await storedOrigin(store)) ?? ''
}
