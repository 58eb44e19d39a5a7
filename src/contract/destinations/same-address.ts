/**
 * Returns a text that is equal for URLs that differ at most in the case of the host and a trailing slash; "" for none. They are
 * not parsed, because libraries read odd URLs differently and could find another host in them.
 */
export function comparableAddress(address: unknown): string {
  if (typeof address !== 'string') return ''
  const [, origin = '', path = address] = /^(https?:\/\/[^/\\?#@\s]+)?(.*?)\/?$/is.exec(address) ?? []
  return origin.toLowerCase() + path
}
