import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { offsetPage } from '../page.ts'
import { plainName } from '../plain-text.ts'

export const channelsMax = 50

export const channelTypes = ['webhook', 'slack', 'teams', 'email'] as const
export const ChannelType = z.enum(channelTypes)
export type ChannelType = z.infer<typeof ChannelType>

/** Where messages are sent. Its URL and signing secret are never returned, since both let anyone send or forge messages. */
export const AlertChannel = z.object({
  id: z.string(),
  name: z.string(),
  type: ChannelType,
  enabled: z.boolean(),
  /** Origin of the URL, like `https://hooks.example.com`; null for e-mail. */
  origin: z.string().nullable(),
  /** Addresses that receive an e-mail; empty for other types. */
  recipients: z.array(z.string()),
  /** Whether it receives alerts about recordings (`silent` and `error`): only if the key that chose the receiver can read them. */
  recording_alerts: z.boolean(),
  /** The newest finished delivery. */
  last_delivery: z.object({ status: z.enum(['delivered', 'failed']), at: Instant }).nullable(),
  /** Label of the key that created the channel. */
  by: z.string(),
  created_at: Instant,
  last_updated_at: Instant,
})
export type AlertChannel = z.infer<typeof AlertChannel>

/** `email`: whether the service can send e-mail, which needs SPOOL_SMTP_URL and SPOOL_SMTP_FROM. */
export const AlertChannels = offsetPage(AlertChannel).extend({ email: z.boolean() })

/** `signing_secret`: generated for a webhook that was created without one, else null; no other response contains it. */
export const CreatedAlertChannel = AlertChannel.extend({ signing_secret: z.string().nullable() })

export const WebhookUrl = z
  .string()
  .max(2000)
  .superRefine((text, context) => {
    const message = webhookUrlError(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
export const SigningSecret = z.string().regex(/^[\x21-\x7e]{16,200}$/, {
  error: 'A signing secret must have 16 to 200 characters, without white space.',
})
const Recipients = z
  .array(z.email({ error: 'This is not an e-mail address.' }).max(254))
  .min(1)
  .max(20)

const name = plainName(200)
const enabled = z.boolean().default(true)
const byUrl = { name, enabled, url: WebhookUrl }

export const AlertChannelInput = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('webhook'), ...byUrl, signing_secret: SigningSecret.optional() }),
    z.strictObject({ type: z.literal('slack'), ...byUrl }),
    z.strictObject({ type: z.literal('teams'), ...byUrl }),
    z.strictObject({ type: z.literal('email'), name, enabled, recipients: Recipients }),
  ],
  { error: 'The type must be webhook, slack, teams or email.' },
)

/** A channel keeps its type: only a webhook has a signing secret, only e-mail has recipients. */
export const AlertChannelUpdate = z
  .strictObject({
    name: name.optional(),
    enabled: z.boolean().optional(),
    url: WebhookUrl.optional(),
    signing_secret: SigningSecret.optional(),
    recipients: Recipients.optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Nothing to update: send at least one of name, enabled, url, signing_secret and recipients.',
  })

function webhookUrlError(text: string): string | null {
  if (!URL.canParse(text)) return 'This is not a URL: enter one like https://hooks.example.com/….'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must start with https:// or http://.'
  return username || password ? 'The URL must not contain a user or password.' : null
}
