import { Session, type ConfirmSession } from '../../../contract/accounts/session.ts'
import { ownSessions, type Caller } from '../../auth/caller.ts'
import { verifyPasskey } from '../../auth/factors/passkeys.ts'
import { isPassword } from '../../auth/passwords.ts'
import type { Client } from '../../auth/client.ts'
import { isAlive, sessionEnd } from '../../auth/sessions.ts'
import { sessionMs } from '../../auth/session-times.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { endSessions, sessionsOf, type Session as SessionRow } from '../../store/accounts/sessions.ts'
import { deleteRows, findRow, updateRows } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

/** Lists the user's sessions, the last used first. */
export const listSessions: Handler<'listSessions'> = async ({ services: { store, clock }, caller }) => {
  const now = clock.now()
  const rows = await sessionsOf(store, ownSessions(caller), new Date(now - sessionMs.idle))
  return rows.filter((row) => isAlive(row, now)).map((row) => showSession(row, caller.session?.id))
}

/** Signs the user out everywhere else. */
export const deleteSessions: Handler<'deleteSessions'> = async ({ services, caller }) => {
  await endSessions(services.store, ownSessions(caller), caller.session?.id ?? null)
  return null
}

export const deleteSession: Handler<'deleteSession'> = async ({ services, session, caller, client }) => {
  await deleteRows(services.store, 'sessions', { id: session.id })
  if (session.id === caller.session?.id) client.setToken(null)
  return null
}

export const signOut: Handler<'signOut'> = async ({ services, caller, client }) => {
  const { id } = sessionOf(caller)
  await deleteRows(services.store, 'sessions', { id })
  client.setToken(null)
  return null
}

/** Notes that the user is present: a password or a passkey alone is enough. @throws ApiError 400 if it is wrong */
export const confirmSession: Handler<'confirmSession'> = async ({
  services,
  caller,
  client,
  rateLimit,
  body,
}) => {
  const { store, clock } = services
  const session = sessionOf(caller)
  rateLimit.assertFewFailures(client.address, caller.userId)
  const problem = await refusalOf(services, caller, client, body)
  if (problem !== null) {
    rateLimit.countFailure(client.address, caller.userId)
    throw invalidInput(problem, ['password' in body ? 'password' : 'passkey'])
  }
  const confirmed_at = new Date(clock.now())
  await updateRows(store, 'sessions', { id: session.id }, { confirmed_at })
  return showSession(session, session.id)
}

/** Returns why a password or passkey does not confirm that the user is present, or null if it does. */
async function refusalOf(
  services: Services,
  caller: Caller,
  client: Client,
  body: ConfirmSession,
): Promise<string | null> {
  if ('password' in body) {
    const user = await findRow(services.store, 'users', { id: caller.userId })
    return (await isPassword(body.password, user?.password_hash ?? null)) ? null : 'The password is wrong.'
  }
  const use = { purpose: 'confirm', session_id: sessionOf(caller).id } as const
  const passkey = await verifyPasskey(services, client, use, body.passkey)
  if (typeof passkey === 'string') return passkey
  return passkey.user_id === caller.userId ? null : 'This passkey belongs to another account.'
}

export function showSession(row: SessionRow, currentId: string | undefined): Session {
  return shownAs(Session, { ...row, expires_at: sessionEnd(row), is_current: row.id === currentId })
}

/** @throws ApiError 404 in a request with a key */
export function sessionOf({ session }: Caller): SessionRow {
  if (!session) throw notFound('This request has an API key, not a session.')
  return session
}
