import type { DeliveryAttempt } from '../../contract/alerts/alert-delivery.ts'
import { formatInstant } from '../../contract/instant.ts'
import { noMail } from '../../contract/no-mail.ts'
import { linkOrigin } from '../auth/sign-in-link.ts'
import { hostOf, RefusedHost } from '../engines/hosts.ts'
import { safeText } from '../engines/safe-text.ts'
import { privateHostHint } from '../http/assert-allowed-host.ts'
import { removeSecrets } from '../http/remove-secrets.ts'
import { sendPinned, type SentRequest } from '../http/send-request.ts'
import { signedHeaders } from '../http/sign-request.ts'
import type { Services } from '../services.ts'
import type { AlertChannelRow } from '../store/alerts/alert-channels.ts'
import { openChannelSecrets, secretTexts } from './channel-secrets.ts'
import { mailContent, slackBody, teamsBody, webhookBody, type Outgoing } from './message-body.ts'
import { sendMail } from '../mail/send-mail.ts'

/** Characters of a response or an error, and of a request with the longest message, that are recorded. */
const recordedMax = 2000
const requestMax = 8000
/** Bytes of a response that are read. */
const responseBytesMax = 8192

type Prepared = {
  request: DeliveryAttempt['request']
  /** Texts that must not be recorded. */
  secrets: readonly string[]
  send: (signal: AbortSignal) => Promise<SentRequest>
}

/** Sends a message once; resolves to a record of the request and the response, or of the reason why there is none. */
export async function sendDelivery(
  services: Services,
  channel: AlertChannelRow,
  delivery: Outgoing,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const started = services.clock.now()
  const origin = await linkOrigin(services)
  let prepared: Prepared | null = null
  let response: SentRequest | null = null
  let error: string | null = null
  try {
    prepared = prepare(services, channel, delivery, origin)
    response = await prepared.send(signal)
    error = statusError(response.status, channel.type)
  } catch (cause) {
    error = errorText(cause, signal)
  }
  const { request = nothingSent, secrets = [] } = prepared ?? {}
  // In this order: a secret that is cut is harder to find.
  const recorded = (text: string) => safeText(removeSecrets(text, secrets), recordedMax)
  return {
    at: formatInstant(started),
    duration_ms: Math.max(0, Math.round(services.clock.now() - started)),
    request: { ...request, body: safeText(request.body, requestMax) },
    response: response && { status: response.status, body: recorded(response.body) },
    error: error === null ? null : recorded(error),
  }
}

/** The request of an attempt that sent none. */
export const nothingSent = { method: '', url: '', headers: {}, body: '' }

function prepare(services: Services, channel: AlertChannelRow, delivery: Outgoing, origin: string): Prepared {
  if (channel.type === 'email') return prepareMail(services, channel, delivery, origin)
  const secrets = openChannelSecrets(services.secrets, channel)
  if (!secrets) throw new Error('The channel has no URL.')
  const bodies = { webhook: webhookBody, slack: slackBody, teams: teamsBody }
  const body = bodies[channel.type](delivery, origin)
  const headers = {
    'spool-message-id': delivery.id,
    ...(secrets.signingSecret !== null && signedHeaders(secrets.signingSecret, body, services.clock.now())),
  }
  return {
    request: { method: 'POST', url: `${new URL(secrets.url).origin}/…`, headers, body },
    secrets: secretTexts(secrets),
    send: (signal) =>
      sendPinned(secrets.url, {
        hosts: services.hosts,
        privateAddresses: services.config.privateDestinations,
        headers,
        body,
        signal,
        bytesMax: responseBytesMax,
      }),
  }
}

function prepareMail(
  { hosts, config }: Services,
  { recipients: to }: AlertChannelRow,
  delivery: Outgoing,
  origin: string,
): Prepared {
  const { smtp } = config
  if (!smtp) throw new Error(noMail)
  const { subject, text } = mailContent(delivery, origin)
  const url = new URL(smtp.url)
  return {
    request: {
      method: 'SMTP',
      url: `${url.protocol}//${hostOf(smtp.url)}`,
      headers: { from: smtp.from, to: to.join(', '), subject, 'message-id': `<${delivery.id}@spool>` },
      body: text,
    },
    secrets: [decodeURIComponent(url.password)],
    send: (signal) => sendMail({ id: delivery.id, to, subject, text }, { hosts, config, smtp, signal }),
  }
}

function statusError(status: number, type: AlertChannelRow['type']): string | null {
  if (status >= 200 && status < 300) return null
  if (type !== 'email' && status >= 300 && status < 400)
    return `The receiver redirects (status ${status}), which is not followed: enter its final URL.`
  return `The receiver answered with status ${status}.`
}

function errorText(cause: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The receiver did not answer in time.'
  if (cause instanceof RefusedHost) return `${cause.message} ${privateHostHint}`
  const text = cause instanceof Error ? cause.message || cause.name : String(cause)
  return `The message could not be sent: ${text}`
}
