import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'

type Options = {
  method: 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
  lookup: LookupFunction
  /** Longest response body (bytes) to read; a longer one rejects with a RangeError. */
  bytesMax?: number
}

/**
 * Sends a request to another service, at the addresses that `lookup` returns; `fetch` would resolve the name itself.
 * Redirects are not followed, since their hosts are unchecked.
 */
export async function sendRequest(
  url: string | URL,
  { method, headers = {}, body = '', signal, lookup, bytesMax = 0 }: Options,
): Promise<{ status: number; text: string }> {
  const target = new URL(url)
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  const options = { method, headers: { ...headers, ...length }, signal, lookup, agent: false }
  const request = send(target, options, (response) => {
    const parts: Buffer[] = []
    let size = 0
    response.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      if (size > bytesMax) response.destroy(new RangeError('The response is too long.'))
    })
    response.on('error', reject)
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
    )
  })
  request.on('error', reject)
  request.end(body)
  return await promise
}
