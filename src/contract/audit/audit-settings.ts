import { z } from 'zod'
import { SigningSecret, WebhookUrl } from '../alerts/alert-channel.ts'
import { Instant } from '../datetime.ts'

export const retentionDaysMin = 30
export const retentionDaysMax = 3650
export const retentionDaysDefault = 730

const syslog = {
  type: z.literal('syslog'),
  host: z
    .string()
    .max(253)
    .regex(/^(?:[\w-]+(?:\.[\w-]+)*|[\da-f:]*:[\da-f:.]+)$/i, {
      error: 'Enter the name of a host or an IP address.',
    }),
  port: z.int().min(1).max(65535),
  tls: z.boolean(),
}

/** Where entries are sent when they are sealed. A webhook's URL and signing secret are never returned. */
export const AuditReceiver = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), origin: z.string() }),
  z.object(syslog),
])
export type AuditReceiver = z.infer<typeof AuditReceiver>

export const AuditSettings = z.object({
  /** Days after which sealed entries are deleted. */
  retention_days: z.int(),
  receiver: AuditReceiver.nullable(),
  /** Seals that the receiver does not have yet. */
  waiting: z.int(),
  last_sent_at: Instant.nullable(),
  /** Why the last attempt to send failed; null if it worked. */
  last_error: z.string().nullable(),
})
export type AuditSettings = z.infer<typeof AuditSettings>

export const AuditReceiverInput = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('webhook'),
      url: WebhookUrl,
      /** Generated if omitted. */
      signing_secret: SigningSecret.optional(),
    }),
    z.strictObject(syslog),
  ],
  { error: 'The type must be webhook or syslog.' },
)
export type AuditReceiverInput = z.infer<typeof AuditReceiverInput>

export const AuditSettingsUpdate = z
  .strictObject({
    retention_days: z
      .int()
      .min(retentionDaysMin, { error: `Keep entries for at least ${retentionDaysMin} days.` })
      .max(retentionDaysMax, { error: `Keep entries for at most ${retentionDaysMax} days.` })
      .optional(),
    receiver: AuditReceiverInput.nullable().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Nothing to update: send retention_days, receiver or both.',
  })

/** `signing_secret`: generated for a webhook without one, else null; no other response contains it. */
export const UpdatedAuditSettings = AuditSettings.extend({ signing_secret: z.string().nullable() })
