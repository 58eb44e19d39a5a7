import { noMail } from '../../contract/no-mail.ts'
import { RefusedHost } from '../engines/hosts.ts'
import { safeText } from '../engines/safe-text.ts'
import { linkOrigin } from '../auth/sign-in-link.ts'
import { privateHostHint } from '../http/assert-allowed-host.ts'
import { removeSecrets } from '../http/remove-secrets.ts'
import { requestMsMax } from '../http/send-request.ts'
import type { Services } from '../services.ts'
import type { Loop } from '../start-loops.ts'
import { claimMails, deleteOldMails, type MailRow } from '../store/accounts/mails.ts'
import { deleteRows, updateRows } from '../store/schema/rows.ts'
import { addressNotice, newAddress, passwordReset } from './account-mails.ts'
import { accountNotice } from './account-notices.ts'
import { writeMail, type MailContent } from './mail-content.ts'
import { invitation, mention } from './member-mails.ts'
import { sendMail } from './send-mail.ts'

/** E-mails that a process sends at once. */
const sendingMax = 10
/** Time (ms) after which an e-mail is sent again if its process has died. */
const claimMs = 60_000
const pollMs = 1000
/** Delays (s) between the attempts of an e-mail, which fails after the last. */
const delaysSeconds = [10, 60, 300, 1800, 7200]
/** Time (ms) for which an e-mail is kept after it was sent or has failed: limits per day count them. */
const keptMs = 86_400_000
/** Delay (ms) between deletions of old e-mails. */
const deleteDelayMs = 600_000
/** Characters of an error that are stored. */
const errorMax = 300

/** Sends e-mails to people in every process; none without a mail server. */
export function mailLoops(services: Services): Loop[] {
  const { store, clock, config } = services
  if (!config.smtp) return []
  return [
    {
      problem: 'failed to send e-mails',
      work: async (signal) => ((await sendDueMails(services, signal)) > 0 ? 0 : pollMs),
    },
    {
      problem: 'failed to delete old e-mails',
      async work() {
        await deleteOldMails(store, new Date(clock.now() - keptMs))
        return deleteDelayMs
      },
    },
  ]
}

/** Sends e-mails that are due, some at a time; resolves to their number, after each was sent or has failed. */
export async function sendDueMails(services: Services, stopping: AbortSignal): Promise<number> {
  const { store, clock, logger } = services
  const now = clock.now()
  const claimed = await claimMails(store, new Date(now), new Date(now + claimMs), sendingMax)
  const sendOne = (mail: MailRow) =>
    send(services, mail, stopping).catch((error: unknown) =>
      logger.error({ err: error, kind: mail.kind }, 'failed to send an e-mail'),
    )
  await Promise.all(claimed.map(sendOne))
  return claimed.length
}

async function send(services: Services, mail: MailRow, stopping: AbortSignal): Promise<void> {
  const { store, clock, logger } = services
  const content = await contentOf(services, mail, await linkOrigin(services))
  const problem = content && (await attempt(services, writeMail(mail.id, content), stopping))
  const now = clock.now()
  const update = (change: Partial<MailRow>) => updateRows(store, 'mails', { id: mail.id }, change)
  if (!content) return await deleteRows(store, 'mails', { id: mail.id })
  if (!problem) return void (await update({ next_attempt_at: null, error: null, sent_at: new Date(now) }))
  if (stopping.aborted)
    return void (await update({ next_attempt_at: new Date(now), attempts: mail.attempts - 1 }))
  const delay = problem.isFinal ? undefined : delaysSeconds[mail.attempts - 1]
  if (delay === undefined) logger.warn({ kind: mail.kind, error: problem.text }, 'gave up sending an e-mail')
  await update({
    next_attempt_at: delay === undefined ? null : new Date(now + delay * 1000),
    error: problem.text,
  })
}

/** Returns what an e-mail says, as of now; null if there is nothing to say any more. */
function contentOf(services: Services, mail: MailRow, origin: string): Promise<MailContent | null> {
  switch (mail.kind) {
    case 'password reset':
      return passwordReset(services, mail, origin)
    case 'new address':
      return newAddress(services, mail, origin)
    case 'address notice':
      return Promise.resolve(addressNotice(mail, origin))
    case 'invite':
      return invitation(services, mail, origin)
    case 'mention':
      return mention(services, mail, origin)
    default:
      return accountNotice(services, { ...mail, kind: mail.kind }, origin)
  }
}

/** Why an e-mail was not sent; `isFinal`: the server will not accept it later either. */
type Problem = { text: string; isFinal: boolean }

async function attempt(
  { hosts, config }: Services,
  mail: ReturnType<typeof writeMail>,
  stopping: AbortSignal,
): Promise<Problem | null> {
  const { smtp } = config
  if (!smtp) return { text: noMail, isFinal: false }
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(requestMsMax)])
  try {
    await sendMail(mail, { hosts, config, smtp, signal })
    return null
  } catch (error) {
    const secrets = [decodeURIComponent(new URL(smtp.url).password)]
    const text = signal.aborted ? 'The mail server did not answer in time.' : errorText(error)
    return { text: safeText(removeSecrets(text, secrets), errorMax), isFinal: refusesAddress(error) }
  }
}

function errorText(error: unknown): string {
  if (error instanceof RefusedHost) return `${error.message} ${privateHostHint}`
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Whether the server refused the recipient for good. */
function refusesAddress(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  return error.code === 'EENVELOPE' && Number(error.responseCode) >= 500
}
