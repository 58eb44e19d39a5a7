import type { NetworkRequest } from '../../../replay/recorded/network-request.ts'
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
