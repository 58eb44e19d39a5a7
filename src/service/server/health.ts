import { sql } from 'kysely'
import type { FastifyPluginAsync } from 'fastify'
import type { Services } from '../services.ts'

const checkTimeoutMs = 3000

/** `/_health`: the process responds. `/_ready`: its engines respond too, and the tables exist. Neither requires a key. */
export function healthRoutes(services: Services): FastifyPluginAsync {
  return async (app) => {
    app.get('/_health', async () => ({ status: 'ok' }))
    app.get('/_ready', async (_request, reply) => {
      const names = await unavailableEngines(services)
      if (names.length === 0) return { status: 'ok' }
      return reply.code(503).send({ status: 'unavailable', unavailable: names })
    })
  }
}

async function unavailableEngines(services: Services): Promise<string[]> {
  const checks: [string, Promise<unknown>][] = [
    ['PostgreSQL', sql`SELECT number FROM migrations LIMIT 1`.execute(services.store)],
    ['ClickHouse', services.warehouse.query('SELECT 1 FROM events LIMIT 0')],
  ]
  const results = await Promise.allSettled(checks.map(([, check]) => withTimeout(check)))
  return checks.flatMap(([name], index) => (results[index]?.status === 'fulfilled' ? [] : [name]))
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error('no response in time')), checkTimeoutMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
