import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../problems/api-error.ts'
import { setDocumentPolicy, type OwnDocument } from './security-headers.ts'

const builtDashboard = join(import.meta.dirname, '../../../dist')
const missingDashboard = 'The dashboard has not been built yet. Run: npm run build\n'

/**
 * Serves the built dashboard to whoever no other route answered: its files, and its page for every address that a browser
 * opens; with status 404 for a link to a recording that `isLinkOpen` says opens nothing. The folder is looked at when it
 * is asked for, so a build may come after the start.
 */
export async function serveDashboard(
  app: FastifyInstance,
  isLinkOpen: (token: string) => Promise<boolean>,
  folder = builtDashboard,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    suppressWarning: true,
    cacheControl: false,
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    // The shop's pages name their parts by what lies beside them.
    if (path === 'demo') return reply.redirect('/demo/')
    const file = fileName(request, path)
    if (file !== null && (await isFile(join(folder, file)))) return sendFile(reply, file)
    if (!wantsPage(request, path)) throw notFound()
    const page = join(folder, 'index.html')
    if (!(await isFile(page))) return reply.code(503).type('text/plain; charset=utf-8').send(missingDashboard)
    const [, kind, token] = /^(shared|embedded)\/([^/]+)\/?$/.exec(path) ?? []
    if (kind === 'embedded') setDocumentPolicy(reply, 'embedded')
    if (token === undefined || (await isLinkOpen(token))) return sendFile(reply, 'index.html')
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(await readFile(page, 'utf8'))
  })
}

/** The address without its first slash and its query, decoded. */
function pathOf(request: FastifyRequest): string {
  return decodeURIComponent(request.url.split('?', 1)[0] ?? '').slice(1)
}

/** The file that an address may mean; null when it leads out of the folder or to a hidden file. */
function fileName(request: FastifyRequest, path: string): string | null {
  if (!isReading(request)) return null
  const file = /^demo(?:\/[\w-]+)*\/?$/.test(path) ? `${path.replace(/\/$/, '')}/index.html` : path
  const plain = file.split('/').every((part) => part !== '' && !part.startsWith('.'))
  return plain && !/[\\\0]/.test(file) ? file : null
}

function sendFile(reply: FastifyReply, file: string): FastifyReply {
  const document = ownDocument(file)
  if (document) setDocumentPolicy(reply, document)
  // The build writes a hash of the content into the names below assets/.
  const caching = file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return reply.header('cache-control', caching).sendFile(file)
}

function ownDocument(file: string): OwnDocument | null {
  if (file.startsWith('demo/')) return 'demo'
  return file === 'player.html' ? 'player' : null
}

function wantsPage(request: FastifyRequest, path: string): boolean {
  const isPage = !/\.\w+$/.test(path) && !/^demo(?:\/|$)/.test(path)
  return isReading(request) && isPage && /text\/html/.test(request.headers.accept ?? '')
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
