import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './api-error.ts'

const builtDashboard = join(import.meta.dirname, '../../../dist')
const missingDashboard = 'The dashboard has not been built yet. Run: npm run build\n'

/**
 * Serves the built dashboard to whoever no other route answered: its files, and its page for every address that a browser
 * opens. The folder is looked at when it is asked for, so a build may come after the start.
 */
export async function serveDashboard(app: FastifyInstance, folder = builtDashboard): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    suppressWarning: true,
    cacheControl: false,
  })
  app.setNotFoundHandler(async (request, reply) => {
    const file = fileName(request)
    if (file !== null && (await isFile(join(folder, file)))) return sendFile(reply, file)
    if (!wantsPage(request)) throw notFound()
    if (await isFile(join(folder, 'index.html'))) return sendFile(reply, 'index.html')
    return reply.code(503).type('text/plain; charset=utf-8').send(missingDashboard)
  })
}

/** The file that an address may mean; null when it leads out of the folder or to a hidden file. */
function fileName(request: FastifyRequest): string | null {
  if (!isReading(request)) return null
  const path = decodeURIComponent(request.url.split('?', 1)[0] ?? '').slice(1)
  const plain = path.split('/').every((part) => part !== '' && !part.startsWith('.'))
  return plain && !/[\\\0]/.test(path) ? path : null
}

function sendFile(reply: FastifyReply, file: string): FastifyReply {
  // The build writes a hash of the content into the names below assets/.
  const caching = file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return reply.header('cache-control', caching).sendFile(file)
}

function wantsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? ''
  return isReading(request) && !/\.\w+$/.test(path) && /text\/html/.test(request.headers.accept ?? '')
}

function isReading(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
