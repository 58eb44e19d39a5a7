import { readable } from './readable-text.ts'

const partLengthMax = 60

/**
 * Returns a URL's path, safe to show: without its query, and with ids and overlong parts replaced by `…`. Includes a hash
 * that is a path (`#/basket`). Any other text, such as the name of an app's screen, is its own path.
 */
export function pagePath(href: string): string {
  const url = URL.canParse(href) ? new URL(href) : null
  const pathname = url?.pathname ?? href.replace(/[?#].*$/s, '')
  const route = url?.hash.startsWith('#/') ? url.hash.slice(1).replace(/\?.*$/, '') : ''
  const path = (pathname.replace(/\/$/, '') + route).replace(/\/$/, '')
  return path.split('/').map(safePart).join('/').slice(0, 120) || '/'
}

/** Returns host and path of a page; only the path of an app's screen. */
export function pageUrl({ host, path }: { host: string; path: string }): string {
  return host === '' ? path : host + path
}

/** Names a page without a title by its path, which is "" for an unknown URL. */
export function pathName(path: string): string {
  if (path === '') return 'A page'
  return path === '/' ? 'Home page' : path
}

function safePart(part: string): string {
  const plain = decoded(part)
  const isId =
    (/^\d{4,}$/.test(plain) && !/^(19|20)\d\d$/.test(plain)) ||
    /^[0-9a-f-]{12,}$/i.test(plain) ||
    plain.includes('@') ||
    // A telephone number.
    /^(\+|00)\d[\d -]{6,}$/.test(plain) ||
    (/\d/.test(plain) && /^[\w-]{20,}$/.test(plain) && !/-.*-/.test(plain)) ||
    // A token; words in paths rarely mix digits with small and capital letters.
    (/^[\w.~-]{16,}$/.test(plain) && [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(plain)))
  return part !== '' && (isId || plain.length > partLengthMax || readable(plain, partLengthMax) === null)
    ? '…'
    : plain
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A URL may contain an invalid percent escape.
    return part
  }
}
