import { Session } from '../../../contract/accounts/session.ts'
import { ownSessions, type Caller } from '../../auth/caller.ts'
import { isPassword } from '../../auth/passwords.ts'
import { isAlive, sessionEnd } from '../../auth/sessions.ts'
import { sessionMs } from '../../auth/session-times.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
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

/** Notes that the user is present. @throws ApiError 400 if the password is wrong */
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
  const user = await findRow(store, 'users', { id: caller.userId })
  if (!(await isPassword(body.password, user?.password_hash ?? null))) {
    rateLimit.countFailure(client.address, caller.userId)
    throw invalidInput('The password is wrong.', ['password'])
  }
  const confirmed_at = new Date(clock.now())
  await updateRows(store, 'sessions', { id: session.id }, { confirmed_at })
  return showSession(session, session.id)
}

export function showSession(row: SessionRow, currentId: string | undefined): Session {
  return shownAs(Session, { ...row, expires_at: sessionEnd(row), is_current: row.id === currentId })
}

/** @throws ApiError 404 in a request with a key */
export function sessionOf({ session }: Caller): SessionRow {
  if (!session) throw notFound('This request has an API key, not a session.')
  return session
}
