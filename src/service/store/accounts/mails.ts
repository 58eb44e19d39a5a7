import { sql, type Selectable } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { MailsTable } from '../schema/account-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { newId } from '../schema/identifier.ts'
import { countOf, insertRow } from '../schema/rows.ts'

export type MailRow = Selectable<MailsTable>
export type NewMail = Pick<MailRow, 'kind' | 'recipient'> &
  Partial<Pick<MailRow, 'user_id' | 'organization_id' | 'invite_id' | 'note_id'>>

/** Stores an e-mail, which is sent in the background. */
export function queueMail({ store, clock }: { store: Store; clock: Clock }, mail: NewMail): Promise<MailRow> {
  const now = new Date(clock.now())
  return insertRow(store, 'mails', {
    id: newId(now.getTime()),
    ...mail,
    created_at: now,
    next_attempt_at: now,
  })
}

/**
 * Claims e-mails that are due, those that mention members last, and counts the attempt: another process, or this one after a crash, may send them again from
 * `until` on.
 */
export async function claimMails(store: Store, now: Date, until: Date, max: number): Promise<MailRow[]> {
  return await rowsOf<MailRow>(store)`
    UPDATE mails SET attempts = attempts + 1, next_attempt_at = ${until} WHERE id IN (
      SELECT id FROM mails WHERE next_attempt_at <= ${now} ORDER BY kind = 'mention', next_attempt_at, id LIMIT ${max}
      FOR UPDATE SKIP LOCKED)
    RETURNING *`
}

/** Counts the e-mails of the same kind to the same address that were stored before this one, since a time. */
export function countMailsBefore(store: Store, mail: MailRow, since: Date): Promise<number> {
  const { id, kind, recipient, created_at } = mail
  return countOf(
    store,
    sql`mails WHERE lower(recipient) = lower(${recipient}) AND kind = ${kind} AND created_at >= ${since}
      AND (created_at, id) < (${created_at}, ${id}::uuid)`,
  )
}

type MailsBy = Partial<Pick<MailRow, 'recipient' | 'user_id' | 'organization_id'>>

type MailLimit = { kind: MailRow['kind']; max: number; periodMs: number }

/**
 * Returns the seconds until fewer than `max` e-mails were stored within a period: to an address, about a user's account or of
 * an organization; null if that is so now.
 */
export async function secondsToMail(
  { store, clock }: { store: Store; clock: Clock },
  { kind, max, periodMs }: MailLimit,
  by: MailsBy,
): Promise<number | null> {
  const { recipient = null, user_id = null, organization_id = null } = by
  const now = clock.now()
  const [last] = await rowsOf<Pick<MailRow, 'created_at'>>(store)`
    SELECT created_at FROM mails WHERE kind = ${kind} AND created_at > ${new Date(now - periodMs)}
      AND (${recipient}::text IS NULL OR lower(recipient) = lower(${recipient}))
      AND (${user_id}::uuid IS NULL OR user_id = ${user_id})
      AND (${organization_id}::uuid IS NULL OR organization_id = ${organization_id})
    ORDER BY created_at DESC LIMIT 1 OFFSET ${max - 1}`
  return last ? Math.ceil((last.created_at.getTime() + periodMs - now) / 1000) : null
}

/** Deletes the e-mails from before a time that are sent or have failed; those of invites stay while the invite can be accepted. */
export async function deleteOldMails(store: Store, before: Date): Promise<void> {
  await sql`DELETE FROM mails WHERE created_at < ${before} AND next_attempt_at IS NULL AND invite_id IS NULL`.execute(
    store,
  )
}
