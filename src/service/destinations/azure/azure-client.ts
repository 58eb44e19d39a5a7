import { createHmac } from 'node:crypto'
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import type { AzureAccount } from '../../../contract/integrations/azure-connection-string.ts'
import { startOf } from '../../http/read-body.ts'

export type AzureClient = ReturnType<typeof connectAzure>

export type AzureRequest = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Key of a blob; null for the container. */
  key: string | null
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Content of a known size; opened again when the request is repeated. */
  body?: { bytes: number; open: () => Readable }
  signal: AbortSignal
  /** Time (ms) without a byte after which the request has failed. */
  idleMs?: number
}

/** A response by which Azure refused a request; `name` is Azure's code, like `ContainerNotFound`. */
export class AzureError extends Error {
  status: number
  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = code
    this.status = status
  }
}

/** Version of the interface that these requests follow. */
const version = '2021-12-02'
/** More than the watch of a run allows, which reports a stall better. */
const idleMsUsual = 20_000
const tries = 2
const pauseMs = 500
/** Longest error, or body that does not matter, to read (bytes). */
const errorBytesMax = 16_384

/**
 * Opens a client for one container, which connects only to the addresses that `lookup` returns. Redirects are not followed,
 * since their hosts are unchecked.
 */
export function connectAzure(account: AzureAccount, container: string, lookup: LookupFunction) {
  const isSecure = account.endpoint.startsWith('https:')
  const connections = { keepAlive: true, maxSockets: 8, lookup }
  const agent = isSecure ? new HttpsAgent(connections) : new HttpAgent(connections)

  const attempt = async (given: AzureRequest) => {
    const { method, key, query = {}, headers = {}, body, signal, idleMs = idleMsUsual } = given
    const url = urlOf(account, container, key, query)
    const length = method === 'PUT' ? { 'content-length': String(body?.bytes ?? 0) } : {}
    const dated = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': version, ...length, ...headers }
    const signed =
      account.key === undefined
        ? dated
        : { ...dated, authorization: authorizationOf(account, method, url, dated) }
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const send = isSecure ? httpsRequest : httpRequest
    const request = send(url, { method, headers: signed, agent, signal, timeout: idleMs })
    request
      .on('timeout', () =>
        request.destroy(new Error(`ETIMEDOUT: no byte was sent or received for ${idleMs / 1000} seconds`)),
      )
      .on('response', resolve)
      .on('error', reject)
      .on('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Error('The store switched to another protocol (status 101).'))
      })
    if (body) pipeline(body.open(), request, { signal }).catch(reject)
    else request.end()
    const response = await promise
    const { statusCode: status = 0 } = response
    if (status >= 200 && status < 300) return response
    throw await errorOf(response, status).finally(() => request.destroy())
  }

  /** Sends a request, a second time if the store is busy or has closed the connection; the caller reads the response's body. @throws AzureError */
  const open = async (request: AzureRequest): Promise<IncomingMessage> => {
    for (let count = 1; ; count += 1)
      try {
        return await attempt(request)
      } catch (error) {
        request.signal.throwIfAborted()
        if (count === tries || !canRepeat(error)) throw error
        await setTimeout(pauseMs, undefined, { signal: request.signal })
      }
  }

  return {
    open,
    /** Sends a request whose response has no body that matters; returns its headers. @throws AzureError */
    async send(request: AzureRequest): Promise<IncomingHttpHeaders> {
      const response = await open(request)
      await startOf(response, errorBytesMax)
      return response.headers
    },
    close: () => agent.destroy(),
  }
}

/** For `catch`: returns null for a missing blob or container. */
export function nullWhenMissing(error: unknown): null {
  if (error instanceof AzureError && error.status === 404) return null
  throw error
}

function canRepeat(error: unknown): boolean {
  if (error instanceof AzureError) return error.status >= 500
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function urlOf(
  { endpoint, signature }: AzureAccount,
  container: string,
  key: string | null,
  query: Record<string, string>,
): URL {
  const names = [container, ...(key === null ? [] : key.split('/'))]
  const url = new URL(`${endpoint}/${names.map(encodeURIComponent).join('/')}`)
  if (signature !== undefined) url.search = signature
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/** https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key */
function authorizationOf(
  { account, key }: { account: string; key: string },
  method: string,
  url: URL,
  headers: Record<string, string>,
): string {
  const header = (field: string) => headers[field] ?? ''
  const length = header('content-length')
  const own = Object.keys(headers)
    .filter((field) => field.startsWith('x-ms-'))
    .sort()
    .map((field) => `${field}:${header(field)}`)
  const query = [...url.searchParams].sort().map(([field, value]) => `${field}:${value}`)
  const text = [
    method,
    header('content-encoding'),
    header('content-language'),
    length === '0' ? '' : length,
    header('content-md5'),
    header('content-type'),
    // The date is in x-ms-date; four conditions are never sent.
    '\n\n\n\n',
    header('range'),
    ...own,
    [`/${account}${url.pathname}`, ...query].join('\n'),
  ].join('\n')
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')
  return `SharedKey ${account}:${signature}`
}

async function errorOf(response: IncomingMessage, status: number): Promise<AzureError> {
  // An error whose text is cut off still has its status.
  const xml = await startOf(response, errorBytesMax).then(String, () => '')
  const header = response.headers['x-ms-error-code']
  const [, code = typeof header === 'string' ? header : `Status${status}`] =
    /<Code>(\w+)<\/Code>/.exec(xml) ?? []
  // The next lines of the message have the request's id and time, and other details repeat what was signed.
  const [, message = ''] = /<Message>([^<\n]*)/.exec(xml) ?? []
  const [, time = ''] = /<AuthenticationErrorDetail>([^<\n]*(?:time frame|expiry)[^<\n]*)/i.exec(xml) ?? []
  return new AzureError(status, code, [status, message, time].filter(Boolean).join(' '))
}
