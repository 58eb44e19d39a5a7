import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../problems/api-error.ts'
import { setDocumentPolicy, type SpecialDocument } from './security-headers.ts'

const builtDashboard = join(import.meta.dirname, '../../../dist')
const missingDashboard = 'The dashboard has not been built yet. Run: npm run build\n'

/**
 * Serves the built dashboard on all remaining routes: its files, and its page for every other URL that a browser opens.
 * Shared links for which `isLinkOpen` is false get the page with status 404. The folder is read on each request, so the
 * dashboard can be built after the start.
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
    // The shop's pages load their files from relative URLs.
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

/** Returns the decoded URL path without its leading slash. */
function pathOf(request: FastifyRequest): string {
  return decodeURIComponent(request.url.split('?', 1)[0] ?? '').slice(1)
}

/** Returns the file that a path may refer to; null if it is outside the folder or hidden. */
function fileName(request: FastifyRequest, path: string): string | null {
  if (!isReadRequest(request)) return null
  const file = /^demo(?:\/[\w-]+)*\/?$/.test(path) ? `${path.replace(/\/$/, '')}/index.html` : path
  const plain = file.split('/').every((part) => part !== '' && !part.startsWith('.'))
  return plain && !/[\\\0]/.test(file) ? file : null
}

function sendFile(reply: FastifyReply, file: string): FastifyReply {
  const document = specialDocument(file)
  if (document) setDocumentPolicy(reply, document)
  // File names in assets/ contain a hash of the content.
  const caching = file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return reply.header('cache-control', caching).sendFile(file)
}

function specialDocument(file: string): SpecialDocument | null {
  if (file.startsWith('demo/')) return 'demo'
  return file === 'player.html' ? 'player' : null
}

function wantsPage(request: FastifyRequest, path: string): boolean {
  const isPage = !/\.\w+$/.test(path) && !/^demo(?:\/|$)/.test(path)
  return isReadRequest(request) && isPage && /text\/html/.test(request.headers.accept ?? '')
}

function isReadRequest(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
