import { requestMsMax, sendPinned } from '../http/send-request.ts'
import type { Services } from '../services.ts'
import type { Loop } from '../start-loops.ts'
import { deleteAlertsBefore } from '../store/alerts/alert-deliveries.ts'
import { updateRows } from '../store/schema/rows.ts'
import { openDeliverer } from './deliverer.ts'
import { evaluateRules } from './evaluate-rules.ts'

const heartbeatDelayMs = 20_000
/** Delay (ms) between checks whether the rules are due. */
const evaluateDelayMs = 5000
const deliverDelayMs = 1000
const dayMs = 86_400_000
/** Time (ms) for which recovered incidents are listed. */
const listedMs = 90 * dayMs

/**
 * Evaluates rules and sends messages in every process, so that the loss of the workers is noticed as long as any process lives;
 * a process that runs exports also stores its heartbeat.
 */
export function alertLoops(services: Services): Loop[] {
  const deliverer = openDeliverer(services)
  const heartbeats: Loop = {
    problem: 'failed to store the heartbeat of a worker',
    async work() {
      await storeHeartbeat(services)
      return heartbeatDelayMs
    },
  }
  return [
    ...(services.config.roles.includes('work') ? [heartbeats] : []),
    {
      problem: 'failed to evaluate the rules of alerts',
      async work(signal) {
        const evaluated = await evaluateRules(services)
        if (evaluated?.workerAlive) await ping(services, signal)
        return evaluateDelayMs
      },
    },
    {
      problem: 'failed to send alerts',
      work: async () => ((await deliverer.sendDue()) > 0 ? 0 : deliverDelayMs),
      end: () => deliverer.stop(),
    },
    {
      problem: 'failed to delete old incidents',
      async work() {
        await deleteAlertsBefore(services.store, new Date(services.clock.now() - listedMs))
        return dayMs
      },
    },
  ]
}

export async function storeHeartbeat({ store, clock }: Pick<Services, 'store' | 'clock'>): Promise<void> {
  await updateRows(store, 'worker_heartbeat', {}, { at: new Date(clock.now()) })
}

/** Requests the configured URL, so that an external monitor notices when the service or all workers have stopped. */
export async function ping(
  { config, hosts, logger }: Pick<Services, 'config' | 'hosts' | 'logger'>,
  stopping: AbortSignal,
): Promise<void> {
  if (config.pingUrl === null) return
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(requestMsMax)])
    const { status } = await sendPinned(config.pingUrl, {
      hosts,
      privateAddresses: config.privateDestinations,
      signal,
    })
    if (status >= 300) logger.warn({ status }, 'failed to request SPOOL_PING_URL')
  } catch (error) {
    if (!stopping.aborted) logger.warn({ err: error }, 'failed to request SPOOL_PING_URL')
  }
}
