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

/** Placeholder for the address of recorded assets on the requested host; 'self' would allow every path of the host. */
const recordedAssets = 'recorded-assets'

/**
 * Policies of special documents. `embedded`: the dashboard in a frame of any site. `player`: the frame in which recordings
 * play, which are hostile input; embedded pages contain it too. `demo`: a shop that records itself.
 */
const documents = {
  embedded: { ...dashboard, 'frame-ancestors': '*' },
  player: {
    'default-src': "'none'",
    'script-src': "'self'",
    // A missing asset has an empty data: URL until the asset is stored.
    'style-src': "'self' 'unsafe-inline' data:",
    'img-src': `data: blob: ${recordedAssets}`,
    'media-src': 'data: blob:',
    'font-src': `data: ${recordedAssets}`,
    'frame-src': "'none'",
    'connect-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    // All ancestors count, and any site can embed the page. On its own, this document shows nothing.
    'frame-ancestors': '*',
  },
  demo: {
    ...dashboard,
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "blob: 'self'",
    'frame-src': "'none'",
  },
}

export type SpecialDocument = keyof typeof documents

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

export function setDocumentPolicy(reply: FastifyReply, document: SpecialDocument): void {
  const { host } = reply.request
  const assets = /^[\w.:[\]-]+$/.test(host) ? `${host}/recorded-assets/` : ''
  reply.header('content-security-policy', policyText(documents[document]).replaceAll(recordedAssets, assets))
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
