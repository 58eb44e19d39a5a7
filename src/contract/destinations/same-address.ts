/** Whether two URLs differ at most in the case of the host and a trailing slash; null, undefined and "" are the same. */
export function isSameAddress(one: unknown, other: unknown): boolean {
  return comparableAddress(one) === comparableAddress(other)
}

/** Returns the same text for such URLs. They are not parsed, because libraries read odd URLs differently and could find another host in them. */
export function comparableAddress(address: unknown): string {
  if (typeof address !== 'string') return ''
  const [, origin = '', path = address] = /^(https?:\/\/[^/\\?#@\s]+)?(.*?)\/?$/is.exec(address) ?? []
  return origin.toLowerCase() + path
}
