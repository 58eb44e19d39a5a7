import type { Headers, NetworkRequest, Phases } from '../../../replay/recorded/network-request.ts'
import { shellQuoted } from '../../format/shell-quoted.ts'

const token = /^[\w!#$%&'*+.^`|~-]+$/
/** Headers that curl sets itself. */
const ownHeaders: ReadonlySet<string> = new Set(['content-length', 'host', 'connection', 'accept-encoding'])

/**
 * Returns a curl command that repeats the request, without its secrets; null unless it is an HTTP request. Recorded text
 * is untrusted: none of it can become another option, a file name or a second command.
 */
export function requestAsCurl({ url, method, requestHeaders, requestBody }: NetworkRequest): string | null {
  const protocol = URL.parse(url)?.protocol
  if (protocol !== 'http:' && protocol !== 'https:') return null
  const verb = method !== null && /^[A-Z]+$/.test(method) ? method : 'GET'
  const headers = Object.entries(requestHeaders ?? {}).filter(
    ([name]) => token.test(name) && !ownHeaders.has(name.toLowerCase()),
  )
  return [
    // Without --globoff, curl would read [redacted] as a range.
    `curl --globoff -X ${verb} --url ${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    ...(requestBody === null ? [] : [`  --data-raw ${shellQuoted(requestBody)}`]),
  ].join(' \\\n')
}

/** Returns the requests as an HTTP archive 1.2, without secrets. Unknown sizes are -1, as the format requires. */
export function requestsAsHar(requests: readonly NetworkRequest[]) {
  const entries = requests.filter(({ url }) => URL.canParse(url)).map(harEntry)
  return { log: { version: '1.2', creator: { name: 'Spool', version: '1' }, pages: [], entries } }
}

function harEntry(request: NetworkRequest) {
  const { url, method, status, startedAt, duration, size, phases } = request
  const { requestHeaders, responseHeaders, requestBody, responseBody } = request
  const timings = harTimings(phases, duration ?? 0)
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: Object.values(timings).reduce((sum, time) => sum + Math.max(0, time), 0),
    request: {
      method: method ?? 'GET',
      url,
      httpVersion: '',
      cookies: [],
      headers: pairs(requestHeaders),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(requestBody !== null && { postData: { mimeType: contentType(requestHeaders), text: requestBody } }),
      headersSize: -1,
      bodySize: requestBody === null ? -1 : byteLength(requestBody),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: pairs(responseHeaders),
      content: {
        size: responseBody === null ? (size ?? -1) : byteLength(responseBody),
        mimeType: contentType(responseHeaders),
        ...(responseBody !== null && { text: responseBody }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: size ?? -1,
    },
    cache: {},
    timings,
  }
}

/** `time` must equal this sum, which leaves out `ssl` because `connect` contains it. */
function harTimings(phases: Phases | null, duration: number) {
  const between = (from: keyof Phases, to: keyof Phases) => {
    const [start, end] = [phases?.[from], phases?.[to]]
    return start === undefined || end === undefined || end < start ? -1 : end - start
  }
  const wait = between('requestStart', 'responseStart')
  const receive = between('responseStart', 'responseEnd')
  if (wait === -1 || receive === -1)
    return { blocked: -1, dns: -1, connect: -1, send: 0, wait: duration, receive: 0 }
  return {
    blocked: phases?.domainLookupStart ?? -1,
    dns: between('domainLookupStart', 'domainLookupEnd'),
    connect: between('connectStart', 'connectEnd'),
    send: 0,
    wait,
    receive,
  }
}

function pairs(headers: Headers | null): { name: string; value: string }[] {
  return Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }))
}

function contentType(headers: Headers | null): string {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
