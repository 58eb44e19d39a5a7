import type { DeliveryAttempt } from '../../contract/alerts/alert-delivery.ts'
import { formatInstant } from '../../contract/instant.ts'
import { requestMsMax } from '../http/send-request.ts'
import type { Services } from '../services.ts'
import {
  claimDeliveries,
  releaseDelivery,
  storeAttempt,
  type BusyChannel,
  type DeliveryRow,
} from '../store/alerts/alert-deliveries.ts'
import { findRow } from '../store/schema/rows.ts'
import { nothingSent, sendDelivery } from './send-delivery.ts'

/** Messages that a process sends at once, each to a different channel. */
const sendingMax = 20
/** Time (ms) after which another process may send a message that this one was sending. */
const claimMs = 60_000
/** Delays (s) between the attempts of a message, which fails after the last. A test is attempted once. */
const delaysSeconds = [10, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800]

export type Deliverer = ReturnType<typeof openDeliverer>

/** Sends messages to channels, one at a time to each, so that a channel that hangs delays no other. */
export function openDeliverer(services: Services) {
  const { store, clock, logger } = services
  const sending = new Map<string, BusyChannel & { sent: Promise<void> }>()
  const stopping = new AbortController()

  async function deliver(delivery: DeliveryRow): Promise<void> {
    const channel = await findRow(store, 'alert_channels', { id: delivery.channel_id ?? '' })
    // Deleting a channel fails its messages.
    if (!channel) return
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMsMax)])
    const isOff = !channel.enabled && delivery.transition !== 'test'
    const attempt = isOff ? unsent(clock.now()) : await sendDelivery(services, channel, delivery, signal)
    if (stopping.signal.aborted && attempt.error !== null) return await releaseDelivery(store, delivery.id)
    const now = clock.now()
    const isLast = isOff || delivery.transition === 'test'
    const delay = isLast ? undefined : delaysSeconds[delivery.attempts.length]
    const isOver = attempt.error === null || delay === undefined
    await storeAttempt(store, delivery.id, attempt, {
      status: attempt.error === null ? 'delivered' : isOver ? 'failed' : 'waiting',
      next: isOver ? null : new Date(now + delay * 1000),
      at: new Date(now),
    })
  }

  /** Resolves when nothing is being sent. */
  async function idle(): Promise<void> {
    await Promise.all([...sending.values()].map(({ sent }) => sent))
  }

  return {
    idle,
    /** Starts sending the messages that are due; resolves to their number, before they are sent. */
    async sendDue(): Promise<number> {
      const max = sendingMax - sending.size
      if (max <= 0 || stopping.signal.aborted) return 0
      const busy = [...sending.values()]
      const claimed = await claimDeliveries(store, { now: clock.now(), claimMs, busy, max })
      for (const delivery of claimed) {
        const channelId = delivery.channel_id ?? ''
        const sent = deliver(delivery)
          .catch((error: unknown) => logger.error({ err: error }, 'failed to send an alert'))
          .finally(() => sending.delete(channelId))
        sending.set(channelId, { channelId, projectId: delivery.project_id, sent })
      }
      return claimed.length
    },
    /** Stops sending; messages being sent are sent again later, with the same ids. */
    async stop(): Promise<void> {
      stopping.abort()
      await idle()
    },
  }
}

/** The record of a message that came due while its channel was off. */
function unsent(at: number): DeliveryAttempt {
  return {
    at: formatInstant(at),
    duration_ms: 0,
    request: nothingSent,
    response: null,
    error: 'The channel is off, so the message was not sent: turn the channel on to receive later ones.',
  }
}
