import { memberName } from '../../contract/accounts/member-name.ts'
import { namedText } from '../../contract/recordings/mention-text.ts'
import { unknownEmail } from '../../contract/accounts/unknown-email.ts'
import { hashToken } from '../auth/sessions.ts'
import type { SecretBox } from '../engines/secret-box.ts'
import type { Services } from '../services.ts'
import { findInvite, membersWithScope } from '../store/accounts/members.ts'
import type { MailRow } from '../store/accounts/mails.ts'
import { findRow, updateRows } from '../store/schema/rows.ts'
import { mentionForMail, mentionsOfNotes } from '../store/recordings/note-mentions.ts'
import type { MailContent } from './mail-content.ts'

/** The token of an invite's link; it is derived, so that the link can be sent again. */
export function inviteToken(secrets: SecretBox, inviteId: string): string {
  return secrets.token(`invite ${inviteId}`)
}

/** The link of an invite; null if it can no longer be accepted. */
export async function invitation(
  { store, secrets, clock }: Pick<Services, 'store' | 'secrets' | 'clock'>,
  mail: MailRow,
  origin: string,
): Promise<MailContent | null> {
  if (mail.invite_id === null) return null
  const token = inviteToken(secrets, mail.invite_id)
  // An invite from before tokens were derived, or before SPOOL_SECRET_KEY changed, gets a new link.
  await updateRows(store, 'invites', { id: mail.invite_id }, { hash: hashToken(token) })
  const invite = await findInvite(store, hashToken(token), new Date(clock.now()))
  const creator = invite && (await findRow(store, 'users', { id: invite.created_by }))
  if (!invite || !creator) return null
  const { organization, expires_at, role, project_roles } = invite
  const by = memberName(creator)
  const offer = project_roles === null ? `${organization}, as an ${role}` : `some projects of ${organization}`
  return {
    to: mail.recipient,
    subject: `${by} invites you to ${organization}`,
    paragraphs: [
      `${by} invites you to work with recordings and exports of product data: to ${offer}, at ${origin}.`,
    ],
    link: { label: `Join ${organization}`, url: `${origin}/join#invite=${token}` },
    notes: [`The link works once, until ${expires_at.toISOString().slice(0, 10)}.`],
  }
}

/** News that a note mentions a member; null if they have seen it or may no longer watch the recording, or if it has changed. */
export async function mention(
  { store }: Pick<Services, 'store'>,
  mail: MailRow,
  origin: string,
): Promise<MailContent | null> {
  const note = await mentionForMail(store, mail.note_id ?? '', mail.user_id ?? '')
  if (!note || note.email === unknownEmail) return null
  const project = { id: note.project_id, organization_id: note.organization_id }
  const members = await membersWithScope(store, project, 'session_recording:read')
  if (!members.some(({ uuid }) => uuid === mail.user_id)) return null
  const { mentions = [] } = (await mentionsOfNotes(store, [note], null)).get(note.id) ?? {}
  const search = new URLSearchParams({
    project: String(note.project_id),
    t: String(Math.floor(note.at)),
    tab: 'notes',
  })
  return {
    to: note.email,
    subject: `${note.author} mentioned you in a note`,
    paragraphs: [
      `${note.author} mentioned you in a note on a recording of ${note.project}:`,
      namedText(note.text, mentions),
    ],
    link: {
      label: 'Open the recording at this moment',
      url: `${origin}/recordings/${encodeURIComponent(note.session_id)}?${search.toString()}`,
    },
    notes: [],
  }
}
