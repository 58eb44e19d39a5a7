/** An origin that no page has. */
const base = 'http://path.invalid'

/** Returns a path within this service, as in a parameter that names where to go after a sign-in; undefined for anything else. */
export function localPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2000 || !value.startsWith('/')) return undefined
  // Browsers remove tabs and line breaks, and read \ as /: `/\t/host` and `/\host` lead to another host.
  if (/[\p{Cc}\\]/u.test(value) || /^\/{2}/.test(value) || !URL.canParse(value, base)) return undefined
  const url = new URL(value, base)
  const path = url.pathname + url.search + url.hash
  // Resolving dots, as in `/.//host`, can leave two slashes at the start.
  return url.origin === base && !path.startsWith('//') ? path : undefined
}
