import { z } from 'zod'
import { ChannelType } from './alert-channel.ts'
import { Transition } from './alert-incident.ts'
import { Instant } from '../datetime.ts'

/** One request to the receiver, without secrets; long texts are truncated. */
export const DeliveryAttempt = z.object({
  at: Instant,
  duration_ms: z.int(),
  /** `url`: without its path, which is a secret. Of an e-mail, the server. */
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  /** Null if there was none; of an e-mail, the server's last line. */
  response: z.object({ status: z.int(), body: z.string() }).nullable(),
  /** Why the attempt failed; null if it succeeded. */
  error: z.string().nullable(),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** A message to a channel. All attempts send the same `id`, so that a receiver recognises a repeated message. */
export const AlertDelivery = z.object({
  id: z.string(),
  transition: Transition.or(z.literal('test')),
  /** Null for a test. */
  incident: z.object({ id: z.string(), title: z.string() }).nullable(),
  /** `id` is null if the channel has been deleted. */
  channel: z.object({ id: z.string().nullable(), name: z.string(), type: ChannelType }),
  status: z.enum(deliveryStatuses),
  /** Oldest first. */
  attempts: z.array(DeliveryAttempt),
  created_at: Instant,
  /** When a waiting message is sent next. */
  next_attempt_at: Instant.nullable(),
  finished_at: Instant.nullable(),
})
export type AlertDelivery = z.infer<typeof AlertDelivery>
