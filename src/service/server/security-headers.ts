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

/**
 * Documents with rules of their own. `embedded` is the dashboard in a page of anybody; `player` is where recordings play,
 * which are hostile input, and stands in a frame of either; `demo` is a shop that records itself.
 */
const documents = {
  embedded: { ...dashboard, 'frame-ancestors': '*' },
  player: {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': 'data: blob:',
    'media-src': 'data: blob:',
    'font-src': "data: 'self'",
    'frame-src': "'self' about: blob:",
    'connect-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    // All ancestors count, and those of an embedded page are anybody's. By itself the document shows nothing.
    'frame-ancestors': '*',
  },
  demo: {
    ...dashboard,
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "blob: 'self'",
    'frame-src': "'none'",
  },
}

export type OwnDocument = keyof typeof documents

/** What a browser may do with any answer of the service; a route may set its own afterwards. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': policyText(dashboard),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
}

export function setDocumentPolicy(reply: FastifyReply, document: OwnDocument): void {
  reply.header('content-security-policy', policyText(documents[document]))
  if (documents[document]['frame-ancestors'] === '*') reply.removeHeader('x-frame-options')
}

function policyText(policy: Record<string, string>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}
