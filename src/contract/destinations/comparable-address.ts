/**
 * Returns a text that is equal for URLs that differ only in the case of the host or a trailing slash; "" without a URL. URLs
 * are not parsed, because libraries read odd ones differently and could find another host.
 */
export function comparableAddress(address: unknown): string {
  if (typeof address !== 'string') return ''
  const [, origin = '', path = address] = /^(https?:\/\/[^/\\?#@\s]+)?(.*?)\/?$/is.exec(address) ?? []
  return origin.toLowerCase() + path
}
