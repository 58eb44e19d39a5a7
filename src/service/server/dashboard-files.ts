import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { notFound } from '../problems/api-error.ts'
import { contentOrigin, refuseAtContentOrigin, shopElsewhere } from './content-origin.ts'
import { setDocumentPolicy, setSecurityHeaders, type DocumentKind } from './security-headers.ts'

const builtDashboard = join(import.meta.dirname, '../../../dist')
const missingDashboard = 'The dashboard has not been built yet. Run: npm run build\n'

const badAddressPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>Page not found · Spool</title>
<h1>Page not found</h1>
<p>The address contains a character that is not encoded correctly.</p>
<p><a href="/">Open Spool</a></p>
</html>
`

/**
 * Serves the built dashboard on all remaining routes: its files, and its document at the address of every page. Shared
 * links that open nothing, and unknown addresses that a browser opens, get the document with status 404.
 * The folder is read on each request, so the dashboard can be built after the start. At the origin of user content, it serves
 * only the player's frame, its scripts and styles, and the demo shop.
 */
export async function serveDashboard(
  app: FastifyInstance,
  config: Pick<Config, 'host' | 'userContentOrigin'>,
  linkTarget: (token: string) => Promise<'recording' | 'collection' | null>,
  folder = builtDashboard,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    suppressWarning: true,
    cacheControl: false,
    // The build wrote compressed copies.
    preCompressed: true,
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const elsewhere = isDemo(path) && isReadRequest(request) ? shopElsewhere(config, request) : null
    if (elsewhere !== null) return reply.redirect(elsewhere)
    // The shop's pages load their files from relative URLs.
    if (path === 'demo') return reply.redirect('/demo/')
    // Browsers ask for it on pages that name no icon, such as the shop's.
    if (path === 'favicon.ico') return reply.redirect('/favicon.svg')
    if (!isUserContent(path)) refuseAtContentOrigin(config, request)
    const file = fileName(request, path)
    if (file !== null && (await isFile(join(folder, file)))) return sendFile(reply, file)
    refuseAtContentOrigin(config, request)
    if (!isReadRequest(request) || isDemo(path)) throw notFound()
    const [, kind, token] = /^(shared|embedded)\/([^/]+)\/?$/.exec(path) ?? []
    const document = token === undefined ? 'index.html' : 'shared.html'
    const page = join(folder, document)
    if (!(await isFile(page))) {
      if (!acceptsHtml(request)) throw notFound()
      return reply.code(503).type('text/plain; charset=utf-8').send(missingDashboard)
    }
    const isKnown = token !== undefined || (await isPageAddress(folder, path))
    if (!isKnown && !acceptsHtml(request)) throw notFound()
    const content = contentOrigin(config, request.host)
    setDocumentPolicy(reply, kind === 'embedded' ? 'embedded' : 'dashboard', content)
    if (content !== null && /^(shared|embedded|recordings)\//.test(path))
      reply.header('link', `<${content}>; rel=preconnect`)
    const target = token === undefined ? null : await linkTarget(token)
    const text = (await readFile(page, 'utf8')).replace(noContentOrigin, `$1${content ?? ''}$2`)
    return reply
      .code(target || (isKnown && token === undefined) ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', token === undefined ? 'no-cache' : 'no-store')
      .send(target === 'collection' ? text.replaceAll(...collectionTitle) : text)
  })
}

/** Where a document names the origin of the player's frame. */
const noContentOrigin = /(<meta name="user-content-origin" content=")(")/

/** What link previews show of a collection instead of the title of a recording; nothing of what the link opens. */
const collectionTitle = ['Shared recording', 'A collection of recordings'] as const

/** Sends a page about a URL that cannot be decoded, if a browser opened it; returns whether it did. */
export function sendBadAddressPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!isReadRequest(request) || !acceptsHtml(request)) return false
  setSecurityHeaders(reply)
  void reply.code(404).type('text/html; charset=utf-8').send(badAddressPage)
  return true
}

/** Returns whether a page of the dashboard has this path; the build lists the routes, such as `/exports/$id`. */
async function isPageAddress(folder: string, path: string): Promise<boolean> {
  const routes: string[] = JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8'))
  const parts = path.replace(/\/$/, '').split('/')
  return routes.some((route) => {
    const pattern = route.slice(1).split('/')
    return (
      pattern.length === parts.length &&
      pattern.every((name, index) => (name.startsWith('$') ? parts[index] !== '' : name === parts[index]))
    )
  })
}

/** Returns the decoded URL path without its leading slash. */
function pathOf(request: FastifyRequest): string {
  return decodeURIComponent(request.url.split(/[?#]/, 1)[0] ?? '').slice(1)
}

/** Returns the file that a path may refer to; null if it is outside the folder or hidden. */
function fileName(request: FastifyRequest, path: string): string | null {
  if (!isReadRequest(request)) return null
  const file = path.startsWith('demo/') ? shopFile(path) : path
  if (file === null) return null
  const plain = file.split('/').every((part) => part !== '' && !part.startsWith('.'))
  return plain && !/[\\\0]/.test(file) ? file : null
}

/** Documents of the demo shop that each serve all pages of a kind, such as demo/product/arc-floor-lamp. */
const shopKinds = /^demo\/(category|guide|product)(?:\.html|\/[\w-]+)$/

/** Returns the file of the demo shop at a path; null for a document of a kind, whose links work only on its pages. */
export function shopFile(path: string): string | null {
  if (path === 'demo/') return 'demo/index.html'
  const kind = shopKinds.exec(path)?.[1]
  if (kind === undefined) return path
  return path.endsWith('.html') ? null : `demo/${kind}.html`
}

function sendFile(reply: FastifyReply, file: string): FastifyReply {
  const document = specialDocument(file)
  if (document) setDocumentPolicy(reply, document)
  // File names in assets/ contain a hash of the content.
  const caching = file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return reply.header('cache-control', caching).sendFile(file)
}

function specialDocument(file: string): DocumentKind | null {
  if (file.startsWith('demo/')) return 'demo'
  if (/^assets\/.*\.js$/.test(file)) return 'script'
  return file === 'player.html' ? 'player' : null
}

function isDemo(path: string): boolean {
  return /^demo(?:\/|$)/.test(path)
}

/** Whether the origin of user content serves a path. */
function isUserContent(path: string): boolean {
  return /^(?:player\.html$|assets\/|favicon\.|demo(?:\/|$))/.test(path)
}

function acceptsHtml(request: FastifyRequest): boolean {
  return /text\/html/.test(request.headers.accept ?? '')
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
