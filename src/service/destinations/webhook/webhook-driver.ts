import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { defaultBatchRows, WebhookConfig } from '../../../contract/destinations/webhook.ts'
import { safeText } from '../../engines/safe-text.ts'
import { partMin, removeSecrets } from '../../http/remove-secrets.ts'
import { sendRequest } from '../../http/send-request.ts'
import { signedHeaders } from '../../http/sign-request.ts'
import type { DestinationDriver, Io, RowRequest, Steps, Trial } from '../destination-driver.ts'
import { lasting, passing, unreachable } from '../explain-error.ts'
import { addressOf, reachSteps } from '../reach-steps.ts'
import { RefusedRequest } from '../refused-request.ts'

/** Longest time (ms) until a receiver has answered. */
const answerMsMax = 30_000
/** Bytes of an answer that are read, and characters of one that are shown. */
const answerBytesMax = 8192
const shownMax = 200

export const webhookDriver: DestinationDriver = {
  open(given) {
    const config = WebhookConfig.parse(given)
    const { url, signing_secret: secret } = config
    const headers = Object.entries(config.headers ?? {}).map(([name, value]) => [name, value ?? ''] as const)
    const secrets = [secret, ...headers.flatMap(([, value]) => [value, ...longWords(value)])]
    const send = (io: Io, request: RowRequest, more: Record<string, string> = {}) =>
      post(io, url, request, {
        secrets,
        headers: {
          ...Object.fromEntries(headers),
          ...more,
          'idempotency-key': request.key,
          ...signedHeaders(secret, request.body, request.at),
        },
      })
    return {
      holds: 'requests',
      batchRowsMax: config.batch_size ?? defaultBatchRows,
      url: () => url,
      explained: { rules, secrets, endpoint: new URL(url).origin },
      steps: (trial) => trialSteps(url, trial, send),
      isRefusal: (error) => error instanceof RefusedRequest,
      send,
    }
  },
}

/** A receiver may repeat the token of `Bearer <token>` alone. */
function longWords(value: string): string[] {
  return value.split(/\s+/).filter(({ length }) => length >= partMin)
}

type Sent = { headers: Record<string, string>; secrets: readonly string[] }

/** @throws RefusedRequest for any status but 200 to 299, or the error of the connection. */
async function post(io: Io, url: string, { body, signal, at }: RowRequest, { headers, secrets }: Sent) {
  const timeout = AbortSignal.timeout(answerMsMax)
  const answer = await sendRequest(url, {
    headers,
    body,
    signal: AbortSignal.any([signal, timeout]),
    lookup: io.hosts.lookup,
    bytesMax: answerBytesMax,
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (!timeout.aborted) throw cause
    throw new Error(`ETIMEDOUT: no answer within ${answerMsMax / 1000} seconds`, { cause })
  })
  const { status } = answer
  if (status >= 200 && status < 300) return
  // In this order: a secret that is cut is harder to find.
  const start = safeText(removeSecrets(answer.body, secrets).replace(/\s+/g, ' ').trim(), shownMax)
  throw new RefusedRequest(status, start, retryAfterMs(answer.headers['retry-after'], at))
}

/** Reads a number of seconds or a date. */
function retryAfterMs(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

type Send = (io: Io, request: RowRequest, more?: Record<string, string>) => Promise<void>

function trialSteps(url: string, trial: Trial, send: Send): Steps {
  const isSecure = new URL(url).protocol === 'https:'
  const address = addressOf(url)
  return {
    ...reachSteps(trial, url, address),
    async TLS() {
      if (!isSecure) return 'Not used: the URL starts with http://.'
      const { hosts, signal } = trial
      const [first] = await hosts.addressesOf(address.host)
      const socket = connectTls({
        host: first?.address ?? '',
        port: address.port,
        ...serverName(address.host),
      })
      await once(socket, 'secureConnect', { signal }).finally(() => socket.destroy())
      return `The certificate of ${address.host} is valid.`
    },
    async Write() {
      const body = new TextEncoder().encode('[]')
      const request = { key: `test:${trial.key}`, body, at: trial.clock.now(), signal: trial.signal }
      await send(trial, request, { 'spool-test': 'true' })
      return 'The receiver acknowledged a signed request without rows.'
    },
  }
}

/** The name in the certificate; TLS has none for an IP address. */
function serverName(host: string) {
  return /^[\d.]+$|:/.test(host) ? {} : { servername: host }
}

/** Meanings of errors, in order of precedence. A status stands first, so that no rule matches the text of an answer. */
const rules = [
  lasting(
    /^HTTP_3\d\d/,
    "{endpoint} redirects to another URL, which is not followed: change the destination's URL to the final one.",
  ),
  lasting(
    /^HTTP_(401|403)/,
    "Access was denied by {endpoint}: check the destination's headers, and how the receiver checks the signature.",
  ),
  lasting(/^HTTP_(404|405|410)/, "{endpoint} accepts no rows at this URL: change the destination's URL."),
  lasting(
    /^HTTP_413/,
    "{endpoint} refuses requests of this size: change the destination's rows per request.",
  ),
  passing(/^HTTP_429/, '{endpoint} has received too many requests.'),
  passing(/^HTTP_(408|425|5\d\d)/, '{endpoint} is not available at the moment: see the log of the receiver.'),
  lasting(/^HTTP_/, '{endpoint} refused the rows: see the log of the receiver.'),
  ...unreachable("the destination's URL", "the destination's URL, and that the receiver is running"),
  lasting(
    /certificate|self.signed|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/i,
    'No secure connection to {endpoint} could be established: check the certificate of the receiver.',
  ),
  passing(
    /receiver (closed|switched)|socket hang up/,
    'The connection to {endpoint} was lost: check the receiver, and the network between it and the service.',
  ),
]
