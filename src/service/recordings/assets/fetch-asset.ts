import type { LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { lookupOf } from '../../engines/hosts.ts'
import { assetType, typeBytes } from './asset-type.ts'
import { MissingAsset, UnavailableAsset } from './missing-asset.ts'

export const assetBytesMax = 5_000_000
/** Style sheets are also read for references, so they are smaller. */
const stylesheetBytesMax = 2_000_000
const redirectsMax = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** Time limits (ms): for the server's next bytes, and for the whole file including redirects. */
export const fetchTimes = { silence: 5000, total: 20_000 }
export type FetchTimes = typeof fetchTimes

type Options = {
  isStylesheet: boolean
  /** Returns the checked addresses of a URL's host; called once for each redirect too. @throws MissingAsset */
  addressesOf(url: URL): Promise<readonly LookupAddress[]>
  times: FetchTimes
  /** Receives the size of each part that arrives, also of a file that is refused later. */
  count?(bytes: number): void
  /** Aborted when the service stops. */
  signal: AbortSignal
}

/**
 * Fetches a file without cookies and referrer, at the checked addresses only. Its `url` is the one after redirects.
 * @throws MissingAsset when it cannot be stored; the signal's reason when the service stops.
 */
export async function fetchAsset(start: string, options: Options) {
  const { times, addressesOf } = options
  const timeout = AbortSignal.timeout(times.total)
  const signal = AbortSignal.any([options.signal, timeout])
  try {
    let url = new URL(start)
    for (let hop = 0; hop <= redirectsMax; hop += 1) {
      const response = await respond(url, await addressesOf(url), { signal, silence: times.silence })
      try {
        const { statusCode = 0, headers } = response
        if (!redirects.has(statusCode)) return { ...(await readAsset(response, options)), url: url.href }
        if (!headers.location || !URL.canParse(headers.location, url))
          throw new MissingAsset('The server redirects to an invalid address.')
        url = new URL(headers.location, url)
      } finally {
        response.destroy()
      }
    }
    throw new MissingAsset(`The server redirects more than ${redirectsMax} times.`)
  } catch (error) {
    options.signal.throwIfAborted()
    if (error instanceof MissingAsset) throw error
    if (isDamage(error)) throw new MissingAsset('The file is damaged.', { cause: error })
    const reason = timeout.aborted ? 'did not send the file in time' : 'cannot be reached'
    throw new UnavailableAsset(`The server ${reason}.`, { cause: error })
  }
}

function respond(
  url: URL,
  addresses: readonly LookupAddress[],
  { signal, silence }: { signal: AbortSignal; silence: number },
): Promise<IncomingMessage> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const request = send(url, {
    // Otherwise the user and password in a URL would be sent.
    auth: '',
    headers: { accept: '*/*', 'accept-encoding': 'gzip, br', 'user-agent': 'Spool' },
    agent: false,
    lookup: lookupOf(addresses),
    timeout: silence,
    signal,
  })
  request.on('timeout', () => request.destroy(new UnavailableAsset('The server did not answer in time.')))
  request.on('response', resolve).on('error', reject).end()
  return promise
}

async function readAsset(response: IncomingMessage, { isStylesheet, count }: Options) {
  const { statusCode = 0, headers } = response
  if (statusCode !== 200) {
    const Failure = isTemporary(statusCode) ? UnavailableAsset : MissingAsset
    throw new Failure(`The server answered with status ${statusCode}.`)
  }
  const bytesMax = isStylesheet ? stylesheetBytesMax : assetBytesMax
  if (Number(headers['content-length']) > bytesMax) throw tooLarge(bytesMax)
  const parts: Buffer[] = []
  let size = 0
  for await (const part of decoded(response) as AsyncIterable<Buffer>) {
    const isTypeKnown = size >= typeBytes
    parts.push(part)
    size += part.length
    count?.(part.length)
    if (size > bytesMax) throw tooLarge(bytesMax)
    // Rejects a file of the wrong type before reading all of it.
    if (!isTypeKnown && size >= typeBytes) typeOf(parts, isStylesheet)
  }
  return { bytes: Buffer.concat(parts), contentType: typeOf(parts, isStylesheet) }
}

/** Whether a later request may get another status: the server is overloaded or has an error. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

function isDamage(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:Z_|ERR__?ERROR_|ERR_BROTLI)/.test(String(error.code))
  )
}

function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  if (encoding !== 'gzip' && encoding !== 'br')
    throw new MissingAsset('The server compresses the file in an unknown way.')
  const decoder = encoding === 'gzip' ? createGunzip() : createBrotliDecompress()
  response.on('error', (error) => decoder.destroy(error))
  return response.pipe(decoder)
}

function typeOf(parts: readonly Buffer[], isStylesheet: boolean): string {
  const type = assetType(Buffer.concat(parts), isStylesheet)
  if (type !== null) return type
  throw new MissingAsset(
    isStylesheet ? 'The file is not a style sheet.' : 'The file is not an image or font that browsers show.',
  )
}

function tooLarge(bytesMax: number): MissingAsset {
  return new MissingAsset(`The file is larger than ${bytesMax / 1e6} MB.`)
}
