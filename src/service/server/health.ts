import { sql } from 'kysely'
import type { FastifyPluginAsync } from 'fastify'
import { freeBytes } from '../problems/full-disk.ts'
import type { Services } from '../services.ts'

type Part = 'postgresql' | 'clickhouse' | 'object_storage' | 'disk_space'
type PartState = { status: 'ok' } | { status: 'unavailable'; detail: string }
type Readiness = { status: 'ok' | 'unavailable' } & Record<Part, PartState>

const checkTimeoutMs = 3000
/** Free bytes below which the service is not ready: PostgreSQL may need this much at any time for its write-ahead log. */
const freeBytesMin = 256 * 1024 * 1024

/**
 * `/_health`: the process responds. `/_ready`: so does everything that it needs; the response has an entry for each part.
 * Neither requires a key.
 */
export function healthRoutes(services: Services): FastifyPluginAsync {
  let checking: Promise<Readiness> | null = null
  return async (app) => {
    app.get('/_health', async () => ({ status: 'ok' }))
    app.get('/_ready', async (_request, reply) => {
      // Concurrent requests share one check, so that many of them cost the engines no more than one.
      checking ??= readiness(services).finally(() => (checking = null))
      const result = await checking
      return reply.code(result.status === 'ok' ? 200 : 503).send(result)
    })
  }
}

async function readiness({ store, warehouse, objects, config }: Services): Promise<Readiness> {
  const [postgresql, clickhouse, object_storage, disk_space] = await Promise.all([
    stateOf(sql`SELECT number FROM migrations LIMIT 1`.execute(store)),
    stateOf(warehouse.query('SELECT 1 FROM events LIMIT 0')),
    stateOf(objects.ping()),
    diskSpace(config.dataDirectory),
  ])
  const parts = { postgresql, clickhouse, object_storage, disk_space }
  const isReady = Object.values(parts).every(({ status }) => status === 'ok')
  return { status: isReady ? 'ok' : 'unavailable', ...parts }
}

/** Returns a part's state without the error's text, which could contain addresses and names. */
async function stateOf(check: Promise<unknown>): Promise<PartState> {
  const late = Promise.withResolvers<PartState>()
  const detail = `It has not responded for ${checkTimeoutMs / 1000} seconds.`
  const timer = setTimeout(() => late.resolve({ status: 'unavailable', detail }), checkTimeoutMs)
  const checked = check.then(
    (): PartState => ({ status: 'ok' }),
    (): PartState => ({
      status: 'unavailable',
      detail: 'Requests to it fail at the moment.',
    }),
  )
  return await Promise.race([checked, late.promise]).finally(() => clearTimeout(timer))
}

/** Checks the disk of the data directory; without that folder, everything is stored on other machines. */
export async function diskSpace(folder: string, freeMin = freeBytesMin): Promise<PartState> {
  const free = await freeBytes(folder)
  if (free === null || free >= freeMin) return { status: 'ok' }
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)
  const detail = `The disk of the data directory has ${megabytes(free)} MB free; ${megabytes(freeMin)} MB are needed.`
  return { status: 'unavailable', detail }
}
