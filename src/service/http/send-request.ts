import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { PrivateDestinations } from '../config.ts'
import type { Hosts } from '../engines/hosts.ts'
import { startOf } from './read-body.ts'

/** Time (ms) for a whole request that nobody waits for. */
export const requestMsMax = 10_000

export type SentRequest = { status: number; body: string }

type Options = {
  method?: 'HEAD'
  headers?: Record<string, string>
  /** JSON, sent with POST. */
  body?: string | Uint8Array
  signal: AbortSignal
  lookup: LookupFunction
  /** Longest part of the response's body (bytes) to read. */
  bytesMax?: number
}

type PinnedOptions = Omit<Options, 'lookup'> & { hosts: Hosts; privateAddresses: PrivateDestinations }

/** Sends a request to a URL that a user chose, at the checked addresses of its host only. @throws RefusedHost, or see `sendRequest`. */
export async function sendPinned(
  url: string,
  { hosts, privateAddresses, ...options }: PinnedOptions,
): ReturnType<typeof sendRequest> {
  const release = await hosts.pin(url, privateAddresses)
  try {
    return await sendRequest(url, { ...options, lookup: hosts.lookup })
  } finally {
    release()
  }
}

/**
 * Sends a request to another service, at the addresses that `lookup` returns; `fetch` would resolve the name itself.
 * Redirects are not followed, since their hosts are unchecked.
 * @returns the start of the body if it is longer than `bytesMax`. @throws the error of the look-up or the connection.
 */
export async function sendRequest(
  url: string | URL,
  { body, headers, method, signal, lookup, bytesMax = 0 }: Options,
): Promise<SentRequest & { headers: IncomingHttpHeaders; isWhole: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
  const request = send(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'user-agent': 'Spool',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
      ...headers,
    },
    agent: false,
    lookup,
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
  const start = await startOf(response, bytesMax).catch((cause: unknown) => {
    throw new Error(`The receiver closed the connection within its response (status ${status}).`, { cause })
  })
  const { headers: answered } = response
  return {
    status,
    headers: answered,
    body: start.subarray(0, bytesMax).toString(),
    isWhole: start.length <= bytesMax,
  }
}
