import { sql } from 'kysely'
import { managedByProvider } from '../../auth/factors/own-credentials.ts'
import { assertGoodPassword, hashPassword } from '../../auth/passwords.ts'
import { hashToken } from '../../auth/sessions.ts'
import { queueNotice } from '../../mail/account-notices.ts'
import { assertSendsMail } from '../../mail/assert-sends-mail.ts'
import { conflict, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { endOtherCredentials } from '../../store/accounts/credentials.ts'
import { isManagedByProvider } from '../../store/accounts/identity-providers.ts'
import { queueMail } from '../../store/accounts/mails.ts'
import { endSessions } from '../../store/accounts/sessions.ts'
import { endLinks, takeToken, type UserToken } from '../../store/accounts/user-tokens.ts'
import { findOtherByEmail, type User } from '../../store/accounts/users.ts'
import { actingNow } from '../../store/audit/acting.ts'
import { audit, type NewAuditEntry } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { findRow, isDuplicate, updateRows } from '../../store/schema/rows.ts'
import type { OpenHandler, OpenRequest } from './open-handler.ts'

const tooMany = 'Too many attempts.'

/** The handlers of links that are sent by e-mail. */
export const mailedLinkHandlers: {
  requestPasswordReset: OpenHandler<'requestPasswordReset'>
  resetPassword: OpenHandler<'resetPassword'>
  confirmEmail: OpenHandler<'confirmEmail'>
} = {
  /** Whether the address has an account is looked up when the e-mail is sent, so that neither answer nor time tells. */
  async requestPasswordReset({ services, client, rateLimit, body }) {
    assertSendsMail(services)
    const name = `password reset ${body.email.toLowerCase()}`
    rateLimit.assertFewFailures(client.address, name, tooMany)
    rateLimit.countFailure(client.address, name)
    await queueMail(services, { kind: 'password reset', recipient: body.email })
    return null
  },

  /** Signs nobody in: a second factor is still asked for. */
  async resetPassword(request) {
    const { services, body } = request
    const { store, clock } = services
    const found = await tokenOf(request, 'new password')
    const { user } = found
    assertGoodPassword(body.password, [user.first_name, ...user.email.split('@'), 'spool'])
    const password_hash = await hashPassword(body.password)
    await inTransaction(store, async (transaction) => {
      const locked = await findRow(transaction, 'users', { id: user.id }, sql`FOR NO KEY UPDATE`)
      await take({ ...services, store: transaction }, found.token)
      if (await isManagedByProvider(transaction, user.id)) throw managedByProvider()
      const change = { password_hash, email_confirmed_at: new Date(clock.now()) }
      await updateRows(transaction, 'users', { id: user.id }, change)
      // Nobody had confirmed the address: someone else may have entered it, and added ways to sign in.
      const isFirst = locked?.email_confirmed_at === null
      if (isFirst) await endOtherCredentials(transaction, user)
      await endLinks(transaction, user)
      await endSessions(transaction, { user_id: user.id }, null)
      const after = isFirst && { after: { other_credentials: 'ended' } }
      await audit(transaction, { ...entryOf(found, 'member.password_changed', clock.now()), ...after })
      const notice = isFirst ? 'password first reset' : 'password changed'
      await queueNotice({ ...services, store: transaction }, notice, user)
    })
    return null
  },

  async confirmEmail(request) {
    const { services } = request
    const { store, clock } = services
    const found = await tokenOf(request, 'new email')
    const { user, token } = found
    const email = token.email ?? user.email
    await inTransaction(store, async (transaction) => {
      await take({ ...services, store: transaction }, token)
      if (await findOtherByEmail(transaction, email, token)) throw addressTaken()
      await endLinks(transaction, user)
      const confirmed = { email, email_confirmed_at: new Date(clock.now()) }
      await updateRows(transaction, 'users', { id: user.id }, { ...confirmed, organization_id: null })
      const change = { before: { email: user.email }, after: { email } }
      await audit(transaction, { ...entryOf(found, 'member.updated', clock.now()), ...change })
      await queueNotice({ ...services, store: transaction }, 'address changed', user)
    }).catch((error: unknown) => {
      throw isDuplicate(error) ? addressTaken() : error
    })
    return { email }
  },
}

type Found = { token: UserToken; user: User }

/** @throws ApiError 404 if the link cannot be used, 429 after too many such requests from the address */
async function tokenOf(
  { services, client, rateLimit, body }: OpenRequest<'resetPassword' | 'confirmEmail'>,
  purpose: UserToken['purpose'],
): Promise<Found> {
  const { store, clock } = services
  rateLimit.assertFewFailures(client.address, null, tooMany)
  const token = await findRow(store, 'user_tokens', { hash: hashToken(body.token), purpose })
  const user = token && (await findRow(store, 'users', { id: token.user_id }))
  if (user && token.expires_at.getTime() > clock.now()) return { token, user }
  rateLimit.countFailure(client.address, null)
  throw usedLink()
}

/** Uses up a token. @throws ApiError 404 if another request has */
async function take({ store, clock }: Pick<Services, 'store' | 'clock'>, token: UserToken): Promise<void> {
  if (!(await takeToken(store, token.hash, token.purpose, new Date(clock.now())))) throw usedLink()
}

function usedLink() {
  return notFound('This link has been used or replaced, or has expired. Ask for another one.')
}

function addressTaken() {
  return conflict('This address now belongs to another account. Enter a different one under Your account.')
}

function entryOf({ token, user }: Found, action: NewAuditEntry['action'], at: number): NewAuditEntry {
  return {
    organizationId: token.organization_id,
    action,
    at: new Date(at),
    object: { id: user.id, name: user.first_name || user.email },
    acting: { ...actingNow(), actor: { kind: 'person', id: user.id, name: user.first_name } },
  }
}
