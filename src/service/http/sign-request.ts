import { createHmac } from 'node:crypto'

/**
 * Returns the headers by which a receiver checks that a body comes from this service: a time (Unix seconds), and `v1=` with the
 * HMAC-SHA256, in hex, of that time, a dot and the body.
 */
export function signedHeaders(secret: string, body: string | Uint8Array, now: number) {
  const timestamp = String(Math.floor(now / 1000))
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body)
  return { 'spool-timestamp': timestamp, 'spool-signature': `v1=${hmac.digest('hex')}` }
}
