import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import { comparableAddress } from './comparable-address.ts'
import type { DestinationConfig, DestinationKind } from './destination-kind.ts'
import { eventFields } from './destination.ts'

export const batchRowsMax = 1000
export const defaultBatchRows = 500

const Headers = z.record(z.string(), z.string().nullable()).superRefine((headers, context) => {
  const message = headersProblem(headers)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

export const WebhookConfig = z.strictObject({
  url: PlainText.min(1),
  batch_size: z.int().min(1).max(batchRowsMax).nullable().optional(),
  /** Values by name. Responses have null for each value, and null in a request keeps the stored one. */
  headers: Headers.nullable().optional(),
  signing_secret: z.string().min(1),
  ...eventFields,
})
export type WebhookConfig = z.infer<typeof WebhookConfig>

/** A receiver of requests, each with a batch of rows. */
export const webhook: DestinationKind<typeof WebhookConfig> = {
  config: WebhookConfig,
  secrets: ['headers', 'signing_secret'],
  namedSecrets: ['headers'],
  generated: 'signing_secret',
  lengthsMax: { url: 2000, signing_secret: 200 },
  rules: (_, text) => [
    ['url', 'error', receiverUrlProblem(text('url'))],
    ['url', 'warning', plainHttpWarning(text('url'))],
    ['signing_secret', 'error', signingSecretProblem(text('signing_secret'))],
  ],
  holds: 'requests',
  isOnDisk: false,
  container: { noun: 'receiver', field: 'url' },
  folderField: 'url',
  integration: null,
  steps: ['Address', 'Reach', 'TLS', 'Write'],
  placeOf(text) {
    const url = text('url')
    return { store: URL.canParse(url) ? new URL(url).origin : url, bucket: url }
  },
  addressOf: ({ url }: DestinationConfig) => comparableAddress(url),
}

/** Returns why a text is not the URL of a receiver, or null. */
export function receiverUrlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'This is not a URL: enter one like https://hooks.example.com/….'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must start with https:// or http://.'
  if (username || password) return 'The URL must not contain credentials: enter them as a header.'
  return /[\s\\#]/.test(text) ? 'The URL must not contain white space, # and \\.' : null
}

function plainHttpWarning(url: string): string | null {
  return /^http:/i.test(url) ? 'Rows and headers are sent unencrypted over http.' : null
}

/** Returns why a text cannot sign requests, or null. */
export function signingSecretProblem(secret: string): string | null {
  return /^[\x21-\x7e]{16,200}$/.test(secret)
    ? null
    : 'A signing secret must have 16 to 200 characters, without white space.'
}

const headersMax = 20
const headerLengthMax = 2000
/** Headers that the service sets, or that determine how a request is sent. */
const ownHeader =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|user-agent|idempotency-key|spool-.*|proxy-.*)$/i

/** Returns what is wrong with headers, or null. */
function headersProblem(headers: Record<string, string | null>): string | null {
  const entries = Object.entries(headers)
  if (entries.length > headersMax) return `Enter at most ${headersMax} headers.`
  const names = entries.map(([name]) => name.toLowerCase())
  if (new Set(names).size < names.length) return 'Enter each header once.'
  for (const [name, value] of entries) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name))
      return 'A name of a header has only letters, digits and hyphens.'
    if (ownHeader.test(name)) return `The header ${name} is set by the service.`
    if (value === null) continue
    if (value.length > headerLengthMax || !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value))
      return `The value of the header ${name} must have 1 to ${headerLengthMax.toLocaleString('en')} characters of ASCII, without line breaks.`
  }
  return null
}
