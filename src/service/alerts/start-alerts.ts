import { repeat, type Background } from '../background/background.ts'
import { requestMsMax, sendPinned } from '../http/send-request.ts'
import type { Services } from '../services.ts'
import { deleteAlertsBefore } from '../store/alerts/alert-deliveries.ts'
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
export async function startAlerts(services: Services): Promise<Background> {
  const isWorker = services.config.roles.includes('work')
  // Otherwise the first evaluation would find no worker.
  if (isWorker) await storeHeartbeat(services)
  const deliverer = openDeliverer(services)
  const evaluations = repeat(services, 'the rules of alerts could not be evaluated', async (signal) => {
    const evaluated = await evaluateRules(services)
    if (evaluated?.workerAlive) await ping(services, signal)
    return evaluateDelayMs
  })
  const deliveries = repeat(services, 'alerts could not be sent', async () =>
    (await deliverer.sendDue()) > 0 ? 0 : deliverDelayMs,
  )
  const cleaning = repeat(services, 'old incidents could not be deleted', async () => {
    await deleteAlertsBefore(services.store, new Date(services.clock.now() - listedMs))
    return dayMs
  })
  const heartbeats = isWorker
    ? [
        repeat(services, 'the heartbeat of a worker could not be stored', async () => {
          await storeHeartbeat(services)
          return heartbeatDelayMs
        }),
      ]
    : []
  return {
    async stop() {
      await Promise.all([evaluations, deliveries, cleaning, ...heartbeats].map((part) => part.stop()))
      await deliverer.stop()
    },
  }
}

export async function storeHeartbeat({ store, clock }: Pick<Services, 'store' | 'clock'>): Promise<void> {
  await store
    .updateTable('worker_heartbeat')
    .set({ at: new Date(clock.now()) })
    .execute()
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
    if (status >= 300) logger.warn({ status }, 'SPOOL_PING_URL answered with an error')
  } catch (error) {
    if (!stopping.aborted) logger.warn({ err: error }, 'SPOOL_PING_URL could not be requested')
  }
}
