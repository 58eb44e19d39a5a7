import { sql } from 'kysely'
import { hashToken, newToken } from '../auth/sessions.ts'
import type { Services } from '../services.ts'
import { isManagedByProvider } from '../store/accounts/identity-providers.ts'
import { countMailsBefore, type MailRow } from '../store/accounts/mails.ts'
import {
  findMemberByEmail,
  findOtherByEmail,
  findUserByEmail,
  membershipsOf,
  type User,
} from '../store/accounts/users.ts'
import { inTransaction } from '../store/schema/database.ts'
import { deleteRows, findRow, insertRow } from '../store/schema/rows.ts'
import type { MailContent } from './mail-content.ts'

type Needs = Pick<Services, 'store' | 'clock'>

const hourMs = 3_600_000
/** How long the links work (ms), from the request on. */
const linkMs = { 'new password': hourMs, 'new email': 24 * hourMs } as const
/** Links to set a new password that an address gets per hour, however many are asked for. */
const resetsMax = 5

const ignore = 'If it was not you, ignore this e-mail: nothing changes.'

/** The link to set a new password; null if the address has no account. The request itself does not look. */
export async function passwordReset(
  services: Needs,
  mail: MailRow,
  origin: string,
): Promise<MailContent | null> {
  const { store } = services
  const user = await findUserByEmail(store, mail.recipient)
  const member = await findMemberByEmail(store, mail.recipient)
  const found = user ?? member
  if (!found || !member) return null
  if ((await countMailsBefore(store, mail, new Date(mail.created_at.getTime() - hourMs))) >= resetsMax)
    return null
  // To the address of the account: PostgreSQL takes some letters for others, which another mailbox may have.
  const shared = { to: found.email, subject: 'Set a new password' }
  const hasPassword = user && user.password_hash !== null
  const isOfProvider =
    (user && (await isManagedByProvider(store, user.id))) ||
    (!hasPassword && (await findRow(store, 'user_identities', { user_id: user?.id ?? member.user_id })))
  // The address of someone whom only a provider knows means nobody outside the organization.
  if (isOfProvider || !user)
    return {
      ...shared,
      paragraphs: [
        `Someone asked for a new password for your account at ${origin}.`,
        'You sign in with an identity provider instead of a password. Choose the provider on the sign-in page.',
      ],
      link: { label: 'Sign in', url: `${origin}/login` },
      notes: [ignore],
    }
  const token = await newLink(services, mail, user, 'new password')
  if (token === null) return null
  return {
    ...shared,
    paragraphs: [
      `Someone asked for a new password for your account at ${origin}. This link sets one; it works once, within an hour.`,
    ],
    link: { label: 'Set a new password', url: `${origin}/password#token=${token}` },
    notes: [ignore],
  }
}

/** The link to confirm a new address or, if the address has an account, the news that someone entered it. */
export async function newAddress(
  services: Needs,
  mail: MailRow,
  origin: string,
): Promise<MailContent | null> {
  const { store } = services
  const user = await findRow(store, 'users', { id: mail.user_id ?? '' })
  // A provider that has come to know the user meanwhile manages the address.
  if (!user || (await findRow(store, 'user_identities', { user_id: user.id }))) return null
  const [member] = await membershipsOf(store, user.id)
  const other = member && (await findOtherByEmail(store, mail.recipient, member))
  if (other)
    return {
      to: other.email,
      subject: 'Your e-mail address was entered again',
      paragraphs: [
        `Someone entered this address for another account at ${origin}. It stays with yours: sign in with it.`,
      ],
      link: null,
      notes: [ignore],
    }
  const token = await newLink(services, mail, user, 'new email')
  if (token === null) return null
  return {
    to: mail.recipient,
    subject: 'Confirm your e-mail address',
    paragraphs: [
      `Someone entered this address for an account at ${origin}. If it was you, confirm it with this link, which works once, within a day.`,
    ],
    link: { label: 'Confirm this address', url: `${origin}/confirm-email#token=${token}` },
    notes: [ignore],
  }
}

export function addressNotice({ recipient, created_at }: MailRow, origin: string): MailContent {
  return {
    to: recipient,
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      `At ${inWords(created_at)}, someone who is signed in to your account at ${origin} entered another e-mail address for it. The address changes once a link that was sent to the new one is opened.`,
    ],
    link: null,
    notes: ['If it was not you, change your password, which ends that link and other sessions.'],
  }
}

/** Stores a new token in place of the user's earlier ones of its purpose; null if it would have expired. */
async function newLink(
  { store, clock }: Needs,
  mail: MailRow,
  user: User,
  purpose: keyof typeof linkMs,
): Promise<string | null> {
  const expires_at = new Date(mail.created_at.getTime() + linkMs[purpose])
  const [member] = await membershipsOf(store, user.id)
  if (!member || expires_at.getTime() <= clock.now()) return null
  const token = newToken()
  const { organization_id } = member
  const row = {
    hash: hashToken(token),
    user_id: user.id,
    organization_id,
    purpose,
    email: purpose === 'new email' ? mail.recipient : null,
    expires_at,
  }
  return await inTransaction(store, async (transaction) => {
    // A new password deletes e-mails with links that are on their way.
    if (!(await findRow(transaction, 'mails', { id: mail.id }, sql`FOR UPDATE`))) return null
    await deleteRows(transaction, 'user_tokens', { user_id: user.id, purpose })
    await insertRow(transaction, 'user_tokens', row)
    return token
  })
}

function inWords(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
