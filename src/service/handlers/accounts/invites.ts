import { memberName } from '../../../contract/accounts/member-name.ts'
import { Invite, inviteDays } from '../../../contract/accounts/member.ts'
import { formatInstant } from '../../../contract/instant.ts'
import {
  assertCoversRole,
  assertSameRole,
  assertValidRole,
  assertWholeOrganization,
} from '../../auth/member-rules.ts'
import { throttled } from '../../auth/rate-limit.ts'
import { hashToken } from '../../auth/sessions.ts'
import { inviteToken } from '../../mail/member-mails.ts'
import { assertSendsMail } from '../../mail/assert-sends-mail.ts'
import { conflict, invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { queueMail, secondsToMail } from '../../store/accounts/mails.ts'
import {
  listInvites as inviteRows,
  listMembers,
  lockMembers,
  type InviteRow,
  type ListedInvite,
  type MailState,
} from '../../store/accounts/members.ts'
import { newId } from '../../store/schema/identifier.ts'
import { deleteRows, insertRow } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

const dayMs = 24 * 3_600_000
/** E-mails with invites per day: of an organization, and to an address. */
const mailsMax = { organization: 200, address: 5 }

/** Lists the invites that can be accepted, newest first. */
export const listInvites: Handler<'listInvites'> = async ({ services: { store, clock }, caller }) => {
  assertWholeOrganization(caller)
  return (await inviteRows(store, caller.organizationId, new Date(clock.now()))).map(showInvite)
}

/** Creates an invite. No other response contains its link. */
export const createInvite: Handler<'createInvite'> = async (request) => {
  const { services, caller, projects, body, link } = request
  const { store, clock, secrets } = services
  const { role, project_roles = null, email = null } = body
  assertCoversRole(caller, { role, project_roles }, 'give')
  assertValidRole({ role, project_roles }, projects)
  assertSameRole(caller, await lockMembers(store, caller.organizationId))
  const members = await listMembers(store, caller.organizationId)
  if (email !== null && members.some((member) => member.email.toLowerCase() === email.toLowerCase()))
    throw conflict(`${email} is a member already.`)
  const own = members.find((member) => member.user_id === caller.userId)
  const now = clock.now()
  const id = newId(now)
  const token = inviteToken(secrets, id)
  const row = await insertRow(store, 'invites', {
    id,
    organization_id: caller.organizationId,
    hash: hashToken(token),
    email,
    role,
    project_roles: project_roles && JSON.stringify(project_roles),
    created_by: caller.userId,
    created_at: new Date(now),
    expires_at: new Date(now + inviteDays * dayMs),
  })
  const mail = body.send_mail ? await mailInvite(services, row) : null
  const url = new URL(`/join#invite=${token}`, link({})).href
  const creator = own ? memberName(own) : caller.name
  return { ...showInvite({ ...row, ...noMail, ...mail, creator }), url }
}

/** Sends the link of an invite to its address again. */
export const sendInvite: Handler<'sendInvite'> = async ({ services, caller, invite }) => {
  const { store, clock } = services
  const before = (await inviteRows(store, caller.organizationId, new Date(clock.now()))).find(
    ({ id }) => id === invite.id,
  )
  if (!before) throw notFound('This invite has expired. Create another one.')
  return showInvite({ ...before, ...(await mailInvite(services, before)) })
}

export const deleteInvite: Handler<'deleteInvite'> = async ({ services, invite }) => {
  await deleteRows(services.store, 'invites', { id: invite.id })
  return null
}

const noMail: MailState = { mail_status: null, mail_at: null, mail_error: null }

/** Queues an e-mail with the link of an invite. @throws ApiError 400 without an address, 409 without a mail server, 429 */
async function mailInvite(services: Services, { id, email, organization_id }: InviteRow): Promise<MailState> {
  assertSendsMail(services)
  if (email === null) throw invalidInput('Enter the address to which the invite is sent.', ['email'])
  const waitFor = (max: number, by: Parameters<typeof secondsToMail>[2]) =>
    secondsToMail(services, { kind: 'invite', max, periodMs: dayMs }, by)
  const [wait, waitForAddress] = await Promise.all([
    waitFor(mailsMax.organization, { organization_id }),
    waitFor(mailsMax.address, { recipient: email }),
  ])
  if (waitForAddress !== null)
    throw throttled(
      waitForAddress,
      `${email} was sent ${mailsMax.address} invites within a day. Create an invite without sending it, and copy its link.`,
    )
  if (wait !== null)
    throw throttled(wait, `This organization has sent ${mailsMax.organization} invites within a day.`)
  const { created_at } = await queueMail(services, {
    kind: 'invite',
    recipient: email,
    organization_id,
    invite_id: id,
  })
  return { mail_status: 'waiting', mail_at: created_at, mail_error: null }
}

function showInvite(row: ListedInvite): Invite {
  const { mail_status: status, mail_at: at, mail_error: error } = row
  const mail = status === null || at === null ? null : { status, at: formatInstant(at), error }
  return shownAs(Invite, { ...row, created_by: row.creator, mail })
}
