import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { PrivateDestinations } from '../config.ts'
import { hostOf, lookupOf, type Hosts } from '../engines/hosts.ts'

/** Bytes of a response that are read. */
const responseBytesMax = 8192
/** Time (ms) for a whole request. */
export const requestMsMax = 10_000

export type SentRequest = { status: number; body: string }
type Options = {
  hosts: Hosts
  privateAddresses: PrivateDestinations
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
}

/**
 * Sends a request to a URL that a user chose, at the checked addresses of its host only. Redirects are not followed, and a long
 * response is cut. @throws RefusedHost, or the error of the look-up or the connection.
 */
export async function sendRequest(
  url: string,
  { hosts, privateAddresses, headers = {}, body, signal }: Options,
): Promise<SentRequest> {
  const release = await hosts.pin(url, privateAddresses)
  try {
    const addresses = await hosts.addressesOf(hostOf(url))
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'user-agent': 'Spool',
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...headers,
      },
      agent: false,
      lookup: lookupOf(addresses),
      signal,
    })
    request
      .on('response', resolve)
      .on('error', reject)
      // After status 101, Node leaves the socket to this listener, and the signal no longer ends it.
      .on('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Error('The receiver switched to another protocol (status 101).'))
      })
      .on('close', () => reject(new Error('The receiver closed the connection without a response.')))
      .end(body)
    const response = await promise
    const { statusCode: status = 0 } = response
    const startOfBody = await startOf(response).catch((cause: unknown) => {
      throw new Error(`The receiver closed the connection within its response (status ${status}).`, { cause })
    })
    return { status, body: startOfBody }
  } finally {
    release()
  }
}

async function startOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= responseBytesMax) break
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(parts).subarray(0, responseBytesMax).toString()
}
