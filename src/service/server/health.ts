import { sql } from 'kysely'
import type { FastifyPluginAsync } from 'fastify'
import type { Services } from '../services.ts'

const patienceMs = 3000

/** `/_health`: the process answers. `/_ready`: its engines do too, and the tables are there. Neither wants a key. */
export function healthRoutes(services: Services): FastifyPluginAsync {
  return async (app) => {
    app.get('/_health', async () => ({ status: 'ok' }))
    app.get('/_ready', async (_request, reply) => {
      const names = await unready(services)
      if (names.length === 0) return { status: 'ok' }
      return reply.code(503).send({ status: 'unavailable', unavailable: names })
    })
  }
}

async function unready(services: Services): Promise<string[]> {
  const checks: [string, Promise<unknown>][] = [
    ['PostgreSQL', sql`SELECT number FROM migrations LIMIT 1`.execute(services.store)],
    ['ClickHouse', services.warehouse.query('SELECT 1 FROM events LIMIT 0')],
  ]
  const results = await Promise.allSettled(checks.map(([, check]) => within(check)))
  return checks.flatMap(([name], index) => (results[index]?.status === 'fulfilled' ? [] : [name]))
}

function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), patienceMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
