import { unknownEmail } from '../../contract/accounts/unknown-email.ts'
import type { Services } from '../services.ts'
import { queueMail, type MailRow } from '../store/accounts/mails.ts'
import { passkeysOf } from '../store/accounts/passkeys.ts'
import type { User } from '../store/accounts/users.ts'
import { findRows } from '../store/schema/rows.ts'
import type { MailContent } from './mail-content.ts'

const resetPassword = 'set a new password on the sign-in page, and tell an owner of your organization.'

/** E-mails about a change of how someone signs in: what was done to the account, and what to do if it was someone else. */
const notices = {
  'password changed': {
    subject: 'Your password was changed',
    did: 'The password was changed, and your other browsers were signed out',
    remedy: resetPassword,
  },
  'password first reset': {
    subject: 'Your password was changed',
    did: 'A new password was set, which confirmed your e-mail address. As someone else could have entered the address before, other browsers were signed out, and passkeys, two-step sign-in and personal API keys were removed',
    remedy: resetPassword,
  },
  'passkey added': { subject: 'A passkey was added', did: 'A passkey was added', remedy: resetPassword },
  'second factor removed': {
    subject: 'Two-step sign-in was turned off',
    did: 'Two-step sign-in was turned off',
    remedy: resetPassword,
  },
  'recovery codes replaced': {
    subject: 'Your recovery codes were replaced',
    did: 'The recovery codes were replaced by new ones',
    remedy: resetPassword,
  },
  'address changed': {
    subject: 'Your e-mail address was changed',
    did: 'The e-mail address was changed to another one',
    remedy: 'tell an owner of your organization.',
  },
} as const

export type NoticeKind = keyof typeof notices

/** Tells a user by e-mail what has changed, if the service sends any and knows their address. */
export async function queueNotice(
  services: Pick<Services, 'store' | 'clock' | 'config'>,
  kind: NoticeKind,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  if (services.config.smtp && email !== unknownEmail)
    await queueMail(services, { kind, recipient: email, user_id: id })
}

export async function accountNotice(
  services: Pick<Services, 'store'>,
  mail: MailRow & { kind: NoticeKind },
  origin: string,
): Promise<MailContent> {
  const { kind, recipient, created_at } = mail
  const { subject, did, remedy } = notices[kind]
  const time = created_at.toISOString().slice(0, 16).replace('T', ' ')
  return {
    to: recipient,
    subject,
    paragraphs: [
      `${did}. This happened to your account at ${origin} at ${time} UTC.`,
      ...(kind === 'password changed' && mail.user_id ? await remaining(services, mail.user_id) : []),
    ],
    link: null,
    notes: [`If it was not you, ${remedy}`],
  }
}

/** Says which passkeys and personal keys a new password leaves as they were. */
async function remaining({ store }: Pick<Services, 'store'>, user_id: string): Promise<string[]> {
  const passkeys = (await passkeysOf(store, user_id)).map(({ name }) => `the passkey “${name}”`)
  const rows = await findRows(store, 'api_keys', { user_id, is_service: false })
  const named = [...passkeys, ...rows.map(({ label }) => `the API key “${label}”`)]
  return named.length === 0
    ? []
    : [`Still give access: ${named.join(', ')}. Remove what you do not know in your account.`]
}
