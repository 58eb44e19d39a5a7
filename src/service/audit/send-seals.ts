import { z } from 'zod'
import { RefusedHost } from '../engines/hosts.ts'
import { safeText } from '../engines/safe-text.ts'
import { privateHostHint } from '../http/assert-allowed-host.ts'
import { requestMsMax, sendPinned } from '../http/send-request.ts'
import { signedHeaders } from '../http/sign-request.ts'
import type { Services } from '../services.ts'
import { sealsWithEntries, type AuditSeal } from '../store/audit/audit-chain.ts'
import type { AuditRow } from '../store/audit/audit-entries.ts'
import { claimReceiver, storeSending, type AuditSettingsRow } from '../store/audit/audit-settings.ts'
import { sendSyslog } from './send-syslog.ts'
import { showEntry } from './show-entry.ts'

/** Seals that are sent before another organization has its turn. */
const sealsMax = 20
/** Time (ms) after which another process may send to a receiver to which this one was sending. */
const claimMs = sealsMax * requestMsMax
/** Delay (ms) after a failure; each further one doubles it. */
const retryMsMin = 10_000
const retryMsMax = 3_600_000
const errorLengthMax = 500

type Needs = Pick<Services, 'store' | 'clock' | 'secrets' | 'hosts' | 'config'>

/** The secrets of a webhook, as `receiver_secrets` seals them. */
export const WebhookSecrets = z.object({ url: z.string(), signingSecret: z.string() })

/**
 * Sends new seals with their entries to the receiver of one organization, in order; the position is stored after each, so that
 * every entry is sent at least once. Resolves to whether there was one.
 */
export async function sendSeals(services: Needs, stopping: AbortSignal): Promise<boolean> {
  const { store, clock } = services
  const now = clock.now()
  const settings = await claimReceiver(store, new Date(now), new Date(now + claimMs))
  if (!settings) return false
  let sent = 0
  try {
    for await (const sealed of sealsWithEntries(
      store,
      settings.organization_id,
      settings.sent_number + 1,
      1,
    )) {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(requestMsMax)])
      await send(services, settings, sealed, signal)
      const at = new Date(clock.now())
      const position = { sent_number: sealed.seal.number, last_sent_at: at, last_error: null, failures: 0 }
      await storeSending(store, settings, position)
      sent += 1
      if (sent === sealsMax) break
    }
    await storeSending(store, settings, { next_attempt_at: null })
  } catch (error) {
    const delay = Math.min(retryMsMin * 2 ** settings.failures, retryMsMax)
    await storeSending(store, settings, {
      next_attempt_at: new Date(clock.now() + delay),
      failures: settings.failures + 1,
      last_error: safeText(error instanceof Error ? error.message : String(error), errorLengthMax),
    })
  }
  return true
}

type Sealed = { seal: AuditSeal; entries: readonly AuditRow[] }

async function send(services: Needs, settings: AuditSettingsRow, sealed: Sealed, signal: AbortSignal) {
  const { receiver, receiver_secrets } = settings
  const { hosts, config } = services
  const guard = { hosts, privateAddresses: config.privateDestinations, signal }
  try {
    if (receiver?.type === 'syslog') return await sendSyslog(receiver, sealed.entries.map(showEntry), guard)
    if (!receiver_secrets) throw new Error('The receiver has no URL.')
    const { url, signingSecret } = WebhookSecrets.parse(JSON.parse(services.secrets.open(receiver_secrets)))
    const body = JSON.stringify({ organization: settings.organization_id, ...showSealed(sealed) })
    const headers = signedHeaders(signingSecret, body, services.clock.now())
    const { status } = await sendPinned(url, { ...guard, headers, body })
    if (status < 200 || status >= 300) throw new Error(`The receiver answered with status ${status}.`)
  } catch (cause) {
    throw signal.aborted ? new Error('The receiver did not answer in time.', { cause }) : explained(cause)
  }
}

function showSealed({ seal, entries }: Sealed) {
  return { seal: { number: seal.number, hash: seal.hash.toString('hex') }, entries: entries.map(showEntry) }
}

function explained(cause: unknown): unknown {
  if (!(cause instanceof RefusedHost)) return cause
  return new Error(`${cause.message} ${privateHostHint}`, { cause })
}
