import type { FastifyReply } from 'fastify'

const dashboard = {
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self' blob:",
  'frame-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/** Placeholders for paths of the requested host; 'self' would allow all of them. */
const recordedAssets = 'recorded-assets'
const shopRequests = 'shop-requests'
/** Placeholder for the origin of the player's frame. */
const userContent = 'user-content'

/** What the demo shop requests: its own files, and capture. Its pages could otherwise use the API as whoever is signed in. */
const shopPaths = 'demo array static flags decide e i s'.split(' ')

/**
 * Policies of documents. `embedded`: the dashboard in a frame of any site. `player`: the frame in which recordings play,
 * which are hostile input; embedded pages contain it too. `script`: the policy of a worker is that of its file; the one
 * worker is in the player's frame. `demo`: a shop that records itself.
 */
const documents = {
  dashboard: { ...dashboard, 'frame-src': `'self' ${userContent}` },
  embedded: { ...dashboard, 'frame-src': `'self' ${userContent}`, 'frame-ancestors': '*' },
  player: {
    'default-src': "'none'",
    'script-src': "'self'",
    // A missing asset has an empty data: URL until the asset is stored.
    'style-src': "'self' 'unsafe-inline' data:",
    'img-src': `data: blob: ${recordedAssets}`,
    'media-src': 'data: blob:',
    'font-src': `data: ${recordedAssets}`,
    'frame-src': "'none'",
    // A picture of a moment contains its images and fonts.
    'connect-src': recordedAssets,
    'base-uri': "'none'",
    'form-action': "'none'",
    // All ancestors count, and any site can embed the page. On its own, this document shows nothing.
    'frame-ancestors': '*',
  },
  script: { 'default-src': "'none'", 'script-src': "'self'", 'frame-ancestors': "'none'" },
  demo: {
    ...dashboard,
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "blob: 'self'",
    'connect-src': shopRequests,
    'frame-src': "'none'",
  },
}

export type DocumentKind = keyof typeof documents

/** Sets the default policy of every response; a route can override it afterwards. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': policyText(dashboard),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
}

/** Sets the policy of a document; `content` is the origin of the player's frame, null if it is the document's own. */
export function setDocumentPolicy(
  reply: FastifyReply,
  document: DocumentKind,
  content: string | null = null,
): void {
  const { host } = reply.request
  const at = (path: string) => (/^[\w.:[\]-]+$/.test(host) ? `${host}/${path}/` : '')
  const policy = policyText(documents[document])
    .replaceAll(recordedAssets, at('recorded-assets'))
    .replaceAll(shopRequests, shopPaths.map(at).join(' '))
    .replaceAll(userContent, content?.replace(/^\/\//, '') ?? '')
  reply.header('content-security-policy', policy)
  if (documents[document]['frame-ancestors'] === '*') reply.removeHeader('x-frame-options')
}

/** Sets the policy of a recorded asset: opened on its own, it runs and loads nothing. */
export function setAssetPolicy(reply: FastifyReply): void {
  reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
}

function policyText(policy: Record<string, string>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}
