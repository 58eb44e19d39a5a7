import type { NetworkRequest } from '../../../contract/network-request.ts'

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
    `curl --globoff -X ${verb} --url ${quoted(url)}`,
    ...headers.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(requestBody === null ? [] : [`  --data-raw ${quoted(requestBody)}`]),
  ].join(' \\\n')
}

/**
 * Quotes a text as one word of a shell. Control characters are escaped: a terminal could act on them when pasting. So are
 * quotes then: shells that do not know $'…' would end the word at one.
 */
function quoted(text: string): string {
  const isPlain = !/[\p{Cc}\p{Cf}]/u.test(text)
  if (isPlain) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(
      /['\p{Cc}\p{Cf}]/gu,
      (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
    )
  return `$'${escaped}'`
}
